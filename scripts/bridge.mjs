// Runs the bridge under the project's own Node. This script itself needs Node 20 or newer. Example:
// `node scripts/bridge.mjs doctor -`.
import { launch } from './launch.mjs'

launch('bridge/main.ts', process.argv.slice(2))
