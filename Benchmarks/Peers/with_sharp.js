// sharp, as a worker with the protocol of `peers.py`: `with_sharp.js FILE key=value ...`. `max-dimension` and `quality`
// are those of the output, `threads` those of libvips; `reduces=0` does not let libjpeg decode fewer pixels.
const fs = require("node:fs");
const readline = require("node:readline");

function peakMemory() {
  return Number(fs.readFileSync("/proc/self/status", "utf8").match(/VmHWM:\s*(\d+)/)[1]) * 1024;
}

const sharp = require("sharp");
const [path, ...parts] = process.argv.slice(2);
const options = Object.fromEntries(parts.map((part) => part.split("=")));
const side = Number(options["max-dimension"]);
const data = fs.readFileSync(path);
sharp.concurrency(Number(options.threads));
// A repetition must not reuse results of an earlier one.
sharp.cache(false);
let output = Buffer.alloc(0);

// Codes are not optimized for the image, because no contestant does: otherwise, sharp would write it in two passes.
function runOnce() {
  return sharp(data)
    .rotate()
    .flatten({ background: "white" })
    .resize(side, side, { fit: "inside", withoutEnlargement: true, fastShrinkOnLoad: options.reduces !== "0" })
    .keepIccProfile()
    .jpeg({ quality: Number(options.quality), optimiseCoding: false })
    .toBuffer();
}

async function measure(times) {
  const [cpu, wall] = [process.cpuUsage(), process.hrtime.bigint()];
  for (let number = 0; number < times; number += 1) output = await runOnce();
  const [used, passed] = [process.cpuUsage(cpu), process.hrtime.bigint() - wall];
  return { cpu_ns: (used.user + used.system) * 1000, wall_ns: Number(passed), bytes: output.length };
}

async function answer(line, idle) {
  const [word, rest] = line.split(/ (.*)/);
  switch (word) {
    case "run":
      return measure(Number(rest ?? 1));
    case "save":
      fs.writeFileSync(rest, output);
      return { saved: true };
    case "peak":
      return { peak_bytes: peakMemory(), idle_bytes: idle };
    default:
      throw new Error(`unknown line: ${line}`);
  }
}

async function serve() {
  const idle = peakMemory();
  output = await runOnce();
  console.log("ready");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await answer(line, idle)));
  }
}

serve();
