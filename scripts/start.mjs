// Entry point of `npm start`: `porchlight start` in the root of the project. Needs only Node 20 and npm.
import { projectRoot } from './install.mjs'
import { launch } from './launch.mjs'

launch('scripts/supervise.ts', process.argv.slice(2), { cwd: projectRoot, hasChannel: true })
