// node run.mjs PROGRAM: compares every family of kernels with the portable tier's. Fails if any bit differs.
import { readFileSync } from 'node:fs'

const pageBytes = 1 << 16
// The C library knows files, which the program has no use for. 52 says that there is no such function.
const imports = { wasi_snapshot_preview1: new Proxy({}, { get: () => () => 52 }) }
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), imports)
const { memory, conformance_families, conformance_compare, conformance_text } = instance.exports
// Before the first allocation, which takes all memory for the heap: it need not grow then.
memory.grow(1024)
let failed = conformance_families() === 0
if (failed) console.log('the program has no tier besides the portable one')
for (let index = 0; index < conformance_families(); index++) {
  // What a kernel reads behind this page is outside the memory and traps. The heap has enough memory without growing.
  memory.grow(1)
  const end = memory.buffer.byteLength
  try {
    if (conformance_compare(index, end, pageBytes) > 0) failed = true
    const text = conformance_text()
    const [address, count] = [Number(text & 0xffffffffn), Number(text >> 32n)]
    console.log(Buffer.from(memory.buffer, address, count).toString())
  } catch (error) {
    console.log(`family ${index}: ${error}`)
    failed = true
  }
  if (memory.buffer.byteLength !== end) {
    console.log(`family ${index}: the memory grew, so that what is read behind the page does not trap`)
    failed = true
  }
}
process.exit(failed ? 1 : 0)
