/** `porchlight restore`: restores a backup into a data folder. */
import { fileURLToPath } from 'node:url'
import { realpathSync } from 'node:fs'
import { runRestoreCommand } from './lib/backup/commands.ts'
import { runCommand } from './lib/command.ts'

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))

await runCommand(() => runRestoreCommand(process.argv.slice(2), root))
