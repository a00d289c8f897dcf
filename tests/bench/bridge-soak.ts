/**
 * `node tests/bench/bridge-soak.ts [minutes]`: runs four RTSP cameras with motion and injects one fault per minute
 * (camera disconnected, network down, camera off, decoder killed). At the end, all cameras must play, and each recorded
 * event must be listed once with its clip. Memory may be at most 15 % above its value after five minutes, or after a
 * third of the run if that is earlier.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBridgeTestEnvironment, type BridgeTestEnvironment } from './bridge-stage.ts'

const durationMinutes = Number(process.argv[2] ?? 30)
const deployment = await openBridgeTestEnvironment({ cameras: 4 })
const bridge = deployment.startBridge()
const { pid = 0 } = bridge
const readMemoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
const readCpuTicks = () => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return Number(fields[13]) + Number(fields[14]) + Number(fields[15]) + Number(fields[16])
}

const INJECTED_FAULTS: readonly ((deployment: BridgeTestEnvironment) => Promise<unknown> | undefined)[] = [
  async ({ cameras }) => cameras[0]?.closeConnections(),
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

const ticksAtStart = readCpuTicks()
const startMs = performance.now()
let settledMb = 0
for (let minute = 0; minute < durationMinutes; minute++) {
  await sleep(45_000)
  await INJECTED_FAULTS[minute % INJECTED_FAULTS.length]?.(deployment)
  await sleep(Math.max(0, startMs + (minute + 1) * 60_000 - performance.now()))
  const now = readMemoryMb()
  if (minute + 1 <= Math.min(5, Math.ceil(durationMinutes / 3))) settledMb = now
  console.log(
    `minute ${minute + 1}: ${now.toFixed(0)} MB, ${deployment.lines.filter((line) => line.includes('Recorded')).length} events`,
  )
}
const cpuPercent =
  (((readCpuTicks() - ticksAtStart) / 100 / ((performance.now() - startMs) / 1000)) * 100) / deployment.cameras.length
// After the last fault, pending work gets time to finish, and all cameras get time to play again.
await sleep(20_000)
const findLastLogLine = (name: string) => deployment.lines.filter((line) => line.includes(`! ${name}`)).at(-1) ?? ''
const playingCount = deployment.cameras.filter((_, i) => findLastLogLine(`Camera ${i + 1}`).includes('is live')).length
const recordedIds = new Set(deployment.lines.flatMap((line) => /Recorded ".*" \((.+)\)\.$/.exec(line)?.[1] ?? []))
const listedEvents = await deployment.listEvents()
const countComplete = (id: string) =>
  listedEvents.filter((event) => event.event_id === id && event.event_resources.length === 1).length
const lostIds = [...recordedIds].filter((id) => countComplete(id) !== 1)
const memoryGrowthMb = readMemoryMb() - settledMb
console.log(
  `${playingCount} of ${deployment.cameras.length} cameras play; ${recordedIds.size} events acknowledged, ${lostIds.length} not listed once with a clip; ` +
    `memory ${settledMb.toFixed(0)} MB then ${(settledMb + memoryGrowthMb).toFixed(0)} MB; bridge with its ended children ${cpuPercent.toFixed(1)} % of a core per camera`,
)
if (playingCount < deployment.cameras.length || lostIds.length > 0 || memoryGrowthMb > 0.15 * settledMb)
  process.exitCode = 1
bridge.kill('SIGTERM')
await deployment.close()
process.exit()
