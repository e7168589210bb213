"use strict";
// A worker that runs one command of agpusim, whose `createAgpusim` stands before this script.

/** The texts between carriage returns that the engine writes to its error stream: lines, and states that replace each other. */
function errorStream(post) {
  const decoder = new TextDecoder();
  const bytes = [];
  const flush = kind => {
    const text = decoder.decode(new Uint8Array(bytes)).replace(/^\x1b\[K/, "");
    bytes.length = 0;
    if (text) post(kind, text);
  };
  return byte => {
    if (byte === 10) flush("error");
    else if (byte === 13) flush("state");
    else bytes.push(byte);
  };
}

onmessage = async ({ data: { module, files, args } }) => {
  const lines = [];
  const answer = { output: "", page: null, code: -1 };
  const post = (kind, text) => postMessage({ kind, text });
  try {
    const engine = await createAgpusim({
      noInitialRun: true,
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(module, imports).then(done);
        return {};
      },
      print: line => lines.push(line),
      preRun: [({ ENV }) => { ENV.NO_COLOR = "1"; }],  // the engine takes its output for a terminal
    });
    for (const [path, text] of Object.entries(files)) {
      engine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      engine.FS.writeFile(path, text);
    }
    const write = errorStream(post);
    engine.FS.getStream(2).tty.ops = { put_char: (_, byte) => write(byte), fsync: () => {}, flush: () => {} };
    answer.code = engine.callMain(args);
    answer.output = lines.map(line => line + "\n").join("");
    const page = args[args.indexOf("--html") + 1];  // without it the command's name
    if (engine.FS.analyzePath(page).exists) answer.page = engine.FS.readFile(page, { encoding: "utf8" });
  } catch (error) {
    post("error", `agpusim stopped: ${error.message ?? error}`);
  }
  postMessage({ kind: "end", ...answer });
};
