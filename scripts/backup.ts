/** `porchlight backup`: writes a data folder to one file, also while Porchlight runs. */
import { runBackupCommand } from './lib/backup/commands.ts'
import { runCommand } from './lib/command.ts'

await runCommand(() => runBackupCommand(process.argv.slice(2)))
