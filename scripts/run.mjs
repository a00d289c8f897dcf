// Runs a script of the project under the project's own Node: `node scripts/run.mjs scripts/check.ts [args]`.
import { projectRoot } from './install.mjs'
import { launch } from './launch.mjs'

const [file = '', ...args] = process.argv.slice(2)
launch(file, args, { cwd: projectRoot })
