// node run.mjs PROGRAM [wrong-weights]: runs the harness for WebAssembly. See compareTiers.
import { readFileSync } from 'node:fs'

const pageBytes = 1 << 16
const print = (address, count) => process.stdout.write(Buffer.from(memory.buffer, address, count).toString())
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { env: { write: print, log: print } })
const { memory, compare } = instance.exports
// Before the first allocation, which takes all memory for the heap: it need not grow then. What is read behind the last page is outside
// the memory and traps.
memory.grow(1024)
memory.grow(1)
const end = memory.buffer.byteLength
let status = compare(end, pageBytes, process.argv.length > 3 ? 1 : 0)
if (memory.buffer.byteLength !== end) {
  console.log('the memory grew, so that what is read behind the page does not trap')
  status = 1
}
process.exit(status)
