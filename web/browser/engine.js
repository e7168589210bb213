"use strict";
// Runs commands of agpusim, each in a worker of its own, one at a time.

async function unpacked(id) {
  const text = byId(id).textContent, begin = text.indexOf(" ") + 1, bytes = new Uint8Array(Number(text.slice(0, begin)));
  for (let at = begin, bits = 0, count = 0, to = 0; to < bytes.length; ++at) { // seven bits a character, see assemble.py
    bits = (bits << 7 | text.charCodeAt(at) & 127) & 0x7fff;
    count += 7;
    if (count >= 8) bytes[to++] = bits >> (count -= 8);
  }
  byId(id).remove();
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** What a file of the page holds: for one of xz bytes, which assemble.py writes as base64. */
const bytesOf = (path, held) => path.endsWith(".xz") ? Uint8Array.from(atob(held), c => c.charCodeAt(0)) : held;

const engine = (() => {
  const script = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
  const loaded = Promise.all([
    unpacked("wasm").then(bytes => WebAssembly.compile(bytes)),
    unpacked("files").then(bytes => JSON.parse(new TextDecoder().decode(bytes), bytesOf)),
  ]);
  let stop = () => {};
  return {
    /** How a command ended: {code, output, page, errors, seconds}; the code is null when it was stopped. `onstate` is told how far it is. */
    async run(args, onstate = () => {}) {
      const [module, files] = await loaded;
      stop();
      const errors = [];
      const started = performance.now();
      const worker = new Worker(script);
      const end = await new Promise((resolve, reject) => {
        stop = () => resolve({ code: null, output: "", page: null });
        worker.onerror = event => reject(new Error(event.message));
        worker.onmessage = ({ data }) => {
          if (data.kind === "end") resolve(data);
          else if (data.kind === "error") errors.push(data.text);
          else onstate(data.text);
        };
        worker.postMessage({ module, files, args });
      });
      worker.terminate();
      return { ...end, errors, seconds: (performance.now() - started) / 1000 };
    },
    stop: () => stop(),
  };
})();
