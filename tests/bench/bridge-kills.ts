/**
 * `node tests/bench/bridge-kills.ts [rounds]`: sends SIGKILL to the bridge, the provider or both at random points while
 * the bridge records and uploads clips. Each acknowledged event must then be listed once with a clip that decodes.
 * An event counts as acknowledged if the bridge logged it as recorded, if it was in the queue at a kill, or if it was
 * in a journal when the bridge was killed.
 */
import { runBridgeCrashTest } from './kill-rounds.ts'

const outcome = await runBridgeCrashTest(Number(process.argv[2] ?? 100))
console.log(outcome.sentence)
process.exit(outcome.holds ? 0 : 1)
