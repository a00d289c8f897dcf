/**
 * `node tests/bench/bridge-soak.ts [minutes]`: runs four RTSP cameras with motion and one fault per minute (camera
 * disconnected, network down, camera off, decoder killed). Afterwards the memory must be as after the first five
 * minutes (or the first third), all cameras must play, and every event logged as recorded must be listed once.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBridgeStage, type BridgeStage } from './bridge-stage.ts'

const minutes = Number(process.argv[2] ?? 30)
const stage = await openBridgeStage({ cameras: 4 })
const bridge = stage.startBridge()
const { pid = 0 } = bridge
const megabytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
const ticks = () => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return Number(fields[13]) + Number(fields[14]) + Number(fields[15]) + Number(fields[16])
}

const FAULTS: readonly ((stage: BridgeStage) => Promise<unknown> | undefined)[] = [
  async ({ cameras }) => cameras[0]?.drop(),
  async ({ setNetwork }) => {
    setNetwork(false)
    await sleep(10_000)
    setNetwork(true)
  },
  async (bridgeStage) => {
    await bridgeStage.cameras[1]?.close()
    await sleep(8000)
    await bridgeStage.reopenCamera(1)
  },
  async () => spawnSync('sh', ['-c', `kill -9 $(ps -o pid= --ppid ${pid} | head -1)`]),
]

const before = ticks()
const began = performance.now()
let settled = 0
for (let minute = 0; minute < minutes; minute++) {
  await sleep(45_000)
  await FAULTS[minute % FAULTS.length]?.(stage)
  await sleep(Math.max(0, began + (minute + 1) * 60_000 - performance.now()))
  const now = megabytes()
  if (minute + 1 <= Math.min(5, Math.ceil(minutes / 3))) settled = now
  console.log(
    `minute ${minute + 1}: ${now.toFixed(0)} MB, ${stage.lines.filter((line) => line.includes('Recorded')).length} events`,
  )
}
const cpu = (((ticks() - before) / 100 / ((performance.now() - began) / 1000)) * 100) / stage.cameras.length
// No fault follows: pending work gets time to finish, and all cameras get time to play again.
await sleep(20_000)
const last = (name: string) => stage.lines.filter((line) => line.includes(`! ${name}`)).at(-1) ?? ''
const playing = stage.cameras.filter((_, i) => last(`Camera ${i + 1}`).includes('is live')).length
const recordedIds = new Set(stage.lines.flatMap((line) => /Recorded ".*" \((.+)\)\.$/.exec(line)?.[1] ?? []))
const listed = await stage.events()
const count = (id: string) =>
  listed.filter((event) => event.event_id === id && event.event_resources.length === 1).length
const lost = [...recordedIds].filter((id) => count(id) !== 1)
const growth = megabytes() - settled
console.log(
  `${playing} of ${stage.cameras.length} cameras play; ${recordedIds.size} events acknowledged, ${lost.length} not listed once with a clip; ` +
    `memory ${settled.toFixed(0)} MB then ${(settled + growth).toFixed(0)} MB; bridge with its ended children ${cpu.toFixed(1)} % of a core per camera`,
)
if (playing < stage.cameras.length || lost.length > 0 || growth > 0.15 * settled) process.exitCode = 1
bridge.kill('SIGTERM')
await stage.close()
process.exit()
