/** Commands `backup` and `restore`: arguments, passphrase and output. */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { promptNewPassword, promptPassword } from '../ask-password.ts'
import { formatBareCommand, formatCommand, parseCommandArguments } from '../command.ts'
import { StopError } from '../stop.ts'
import { checkBackupRequest, createBackup, discardBackup, type BackupRequest } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { PASSPHRASE_MIN_LENGTH } from './sealed-settings.ts'

const BACKUP_HELP = `${formatCommand('backup')} FILE [options]
  Writes all data of Porchlight to FILE: accounts, events, invoices, settings and keys. Works while Porchlight runs.
  Asks for a passphrase that encrypts passwords and keys. Without the passphrase, the backup can't be restored.
  --recordings           include clips and pictures
  --passphrase-file F    read the passphrase from the first line of F, for scheduled backups
  --data DIR             data folder (.porchlight)`

const RESTORE_HELP = `${formatCommand('restore')} FILE [options]
  Restores the backup FILE. Stop Porchlight first. Everyone has to log in again. With Stripe, billing is on hold until
  you run ${formatBareCommand('reconcile')}.
  --replace              move the existing data folder aside
  --passphrase-file F    read the passphrase from the first line of F
  --data DIR             data folder (.porchlight)`

const COMMON_OPTIONS = {
  'passphrase-file': { type: 'string' },
  data: { type: 'string', default: '.porchlight' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const printLine = (line: string) => console.log(line)
const printText = (text: string) => process.stderr.write(text)

export async function runBackupCommand(args: readonly string[]): Promise<void> {
  const options = { ...COMMON_OPTIONS, recordings: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseCommandArguments(
    { args: [...args], allowPositionals: true, options },
    BACKUP_HELP,
  )
  if (values.help) return printLine(BACKUP_HELP)
  const request = {
    data: resolve(values.data),
    file: getFile(positionals, BACKUP_HELP),
    recordings: values.recordings,
  }
  await checkBackupRequest(request)
  const passphrase = await readPassphrase(values['passphrase-file'], promptNewPassword)
  if (passphrase.length < PASSPHRASE_MIN_LENGTH)
    throw new StopError(`The passphrase has fewer than ${PASSPHRASE_MIN_LENGTH} characters. No backup was made.`)
  discardOnSignals({ ...request, passphrase })
  const { bytes } = await createBackup({ ...request, passphrase })
  printLine(`${request.file}: ${(bytes / 1e6).toFixed(1)} MB${request.recordings ? '' : ', without recordings'}.`)
}

/** Lets a stopped backup delete its files. The end of this process resumes paused processes (freeze.ts). */
function discardOnSignals(request: BackupRequest): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!discardBackup(request)) return
      console.error('The backup was stopped. No backup was made.')
      process.exit(1)
    })
}

export async function runRestoreCommand(args: readonly string[], root: string): Promise<void> {
  const options = { ...COMMON_OPTIONS, replace: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseCommandArguments(
    { args: [...args], allowPositionals: true, options },
    RESTORE_HELP,
  )
  if (values.help) return printLine(RESTORE_HELP)
  const data = resolve(values.data)
  const { manifest, aside } = await restoreBackup({
    file: getFile(positionals, RESTORE_HELP),
    data,
    replace: values.replace,
    readPassphrase: () => readPassphrase(values['passphrase-file'], promptPassword),
    root,
    printLine,
  })
  printLine(`${data} contains the backup of ${manifest.created_at}.`)
  if (aside !== null) printLine(`The previous data folder is ${aside}. Delete it when you no longer need it.`)
  printLine(
    `Start Porchlight. Everyone has to log in again. If you use Stripe, then run ${formatBareCommand('reconcile')}.`,
  )
}

function getFile(positionals: readonly string[], help: string): string {
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new StopError(`Name one backup file.\n\n${help}`)
  if (basename(file) === '') throw new StopError(`${file} isn't a file name.`)
  return file
}

type Prompt = typeof promptPassword

async function readPassphrase(file: string | undefined, prompt: Prompt): Promise<string> {
  if (file === undefined) return prompt(process.stdin, printText, 'passphrase')
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StopError(`The passphrase file can't be read (${reason}). Nothing was changed.`)
  }
}
