"use strict";
// What a file of xz holds: one stream of blocks of LZMA2, as xz writes it. Checksums are not looked at: the page holds the files itself.

/** The bytes that a Uint8Array of an xz file unpacks to. */
function unpackXz(input) {
  let size = 0, at = 12, read = 0; // the stream's header has 12 bytes
  const number = () => {
    let value = 0, scale = 1, byte;
    do {
      byte = input[read++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return value;
  };
  const end = input.length - 12, index = end - 4 * (1 + (input[end + 4] | input[end + 5] << 8 | input[end + 6] << 16));
  const blocks = [];
  read = index + 1;
  for (let left = number(); left > 0; --left) {
    const bytes = number();
    blocks.push(at + 4 * (1 + input[at]));
    at += bytes + 3 & ~3;
    size += number();
  }
  const output = new Uint8Array(size);
  let to = 0;
  for (const block of blocks) to = unpackLzma2(input, block, output, to);
  return output;
}

/** Writes to `output` from `to` on; returns where it ends. */
function unpackLzma2(input, at, output, to) {
  const fresh = bits => new Uint16Array(1 << bits).fill(1024);
  let range, code, model, begin = to, lc = 0, lp = 0, pb = 0;

  const bit = (chances, i) => {
    if (range < 0x1000000) {
      range = range << 8 >>> 0;
      code = (code << 8 | input[at++]) >>> 0;
    }
    const chance = chances[i], bound = (range >>> 11) * chance;
    if (code < bound) {
      range = bound;
      chances[i] = chance + (2048 - chance >> 5);
      return 0;
    }
    range -= bound;
    code -= bound;
    chances[i] = chance - (chance >> 5);
    return 1;
  };
  const tree = (chances, bits, from = 0) => {
    let i = 1;
    for (let left = bits; left > 0; --left) i = i << 1 | bit(chances, from + i);
    return i - (1 << bits);
  };
  const reversed = (chances, bits, from) => {
    let i = 1, value = 0;
    for (let k = 0; k < bits; ++k) {
      const one = bit(chances, from + i);
      i = i << 1 | one;
      value |= one << k;
    }
    return value;
  };
  const direct = bits => {
    let value = 0;
    for (; bits > 0; --bits) {
      if (range < 0x1000000) {
        range = range << 8 >>> 0;
        code = (code << 8 | input[at++]) >>> 0;
      }
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      if (one) code -= range;
      value = (value << 1 | one) >>> 0;
    }
    return value;
  };
  const lengths = () => ({ choice: fresh(1), low: fresh(7), middle: fresh(7), high: fresh(8) });
  const length = (of, position) => {
    if (!bit(of.choice, 0)) return 2 + tree(of.low, 3, position << 3);
    if (!bit(of.choice, 1)) return 10 + tree(of.middle, 3, position << 3);
    return 18 + tree(of.high, 8);
  };
  const reset = () => {
    model = {
      state: 0, last: [0, 0, 0, 0], literal: fresh(lc + lp + 10), match: fresh(8), again: fresh(4), again0: fresh(4), again1: fresh(4),
      again2: fresh(4), again0Long: fresh(8), slot: fresh(8), special: fresh(7), align: fresh(4), lengths: lengths(), againLengths: lengths(),
    };
  };

  const lzma = stop => {
    const m = model, last = m.last;
    while (to < stop) {
      const position = to - begin & (1 << pb) - 1, key = m.state << 4 | position;
      if (!bit(m.match, key)) {
        const before = to > begin ? output[to - 1] : 0;
        const from = 0x300 * (((to - begin & (1 << lp) - 1) << lc) + (before >> 8 - lc));
        let symbol = 1;
        if (m.state >= 7) {
          for (let matched = output[to - last[0] - 1]; symbol < 0x100;) {
            const expected = matched >> 7 & 1, one = bit(m.literal, from + (1 + expected << 8) + symbol);
            matched <<= 1;
            symbol = symbol << 1 | one;
            if (expected !== one) break;
          }
        }
        while (symbol < 0x100) symbol = symbol << 1 | bit(m.literal, from + symbol);
        output[to++] = symbol;
        m.state -= m.state < 4 ? m.state : m.state < 10 ? 3 : 6;
        continue;
      }
      let count;
      if (!bit(m.again, m.state)) {
        last.copyWithin(1, 0, 3);
        count = length(m.lengths, position);
        const slot = tree(m.slot, 6, Math.min(count - 2, 3) << 6);
        if (slot < 4) last[0] = slot;
        else {
          const bits = (slot >> 1) - 1, high = (2 | slot & 1) * 2 ** bits;
          last[0] = slot < 14 ? high + reversed(m.special, bits, high - slot) : high + direct(bits - 4) * 16 + reversed(m.align, 4, 0);
        }
        m.state = m.state < 7 ? 7 : 10;
      } else {
        let which = 0;
        if (bit(m.again0, m.state)) which = bit(m.again1, m.state) ? 2 + bit(m.again2, m.state) : 1;
        else if (!bit(m.again0Long, key)) count = 1;
        last.unshift(...last.splice(which, 1));
        if (count === 1) m.state = m.state < 7 ? 9 : 11;
        else {
          count = length(m.againLengths, position);
          m.state = m.state < 7 ? 8 : 11;
        }
      }
      for (; count > 0; --count, ++to) output[to] = output[to - last[0] - 1];
    }
  };

  for (let control; (control = input[at++]) !== 0;) {
    const short = () => (input[at++] << 8 | input[at++]) + 1;
    if (control < 0x80) { // as it is
      if (control === 1) begin = to;
      const bytes = short();
      output.set(input.subarray(at, at + bytes), to);
      at += bytes;
      to += bytes;
      continue;
    }
    if (control >= 0xe0) begin = to;
    const stop = to + ((control & 31) << 16) + short(), bytes = short();
    if (control >= 0xc0) {
      const properties = input[at++];
      lc = properties % 9;
      lp = Math.floor(properties / 9) % 5;
      pb = Math.floor(properties / 45);
    }
    if (control >= 0xa0) reset();
    const next = at + bytes;
    range = 0xffffffff;
    code = (input[at + 1] << 24 | input[at + 2] << 16 | input[at + 3] << 8 | input[at + 4]) >>> 0;
    at += 5;
    lzma(stop);
    at = next;
  }
  return to;
}
