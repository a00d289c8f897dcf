/**
 * `node tests/bench/bridge-kills.ts [rounds]`: kills the bridge, the provider or both with SIGKILL at random points
 * while the bridge records, finishes and uploads clips. Afterwards every event that the bridge acknowledged (in its
 * queue or journal at a kill, or logged as recorded) must be listed once with a clip that decodes.
 */
import { killRounds } from './kill-rounds.ts'

const outcome = await killRounds(Number(process.argv[2] ?? 100))
console.log(outcome.sentence)
process.exit(outcome.holds ? 0 : 1)
