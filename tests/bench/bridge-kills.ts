/**
 * `node tests/bench/bridge-kills.ts [rounds]`: kills the bridge with SIGKILL at random points while it records. Afterwards
 * every event that it said was recorded must be listed once with a clip that decodes, and none may be listed twice.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBridgeStage } from './bridge-stage.ts'

const rounds = Number(process.argv[2] ?? 100)
const stage = await openBridgeStage(2)
for (let round = 0; round < rounds; round++) {
  const bridge = stage.startBridge()
  // Long enough that in most rounds something is being recorded, finished or uploaded.
  await sleep(6000 + Math.random() * 14_000)
  bridge.kill('SIGKILL')
  await once(bridge, 'exit')
}
const last = stage.startBridge()
await sleep(30_000)
last.kill('SIGTERM')
await once(last, 'exit')
const said = new Set(stage.lines.flatMap((line) => /Recorded ".*" \((.+)\)\.$/.exec(line)?.[1] ?? []))
const listed = (await stage.events()).map((event) => event.event_id)
const lost = [...said].filter((id) => !listed.includes(id))
const broken = (await stage.unplayable()).filter((id) => said.has(id))
const twice = listed.length - new Set(listed).size
console.log(
  `${rounds} kills: ${said.size} events acknowledged, ${lost.length} lost, ${twice} listed twice, ${broken.length} without a playable clip`,
)
if (said.size === 0 || lost.length + twice + broken.length > 0) process.exitCode = 1
await stage.close()
process.exit()
