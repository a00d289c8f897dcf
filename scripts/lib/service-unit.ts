/** systemd unit that runs Porchlight as a service. */
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { StopError } from './stop.ts'

export const UNIT_NAME = 'porchlight.service'
/** First line of a unit that this program wrote. Other units are never replaced or deleted. */
export const UNIT_MARK = '# Written by porchlight service install. Your changes belong in a drop-in: systemctl edit.'

interface ServiceUnit {
  /** Absolute path of the program and its arguments. */
  readonly command: readonly string[]
  readonly workingFolder: string
  /** Folders in which the service looks for programs, such as npm and ffmpeg. */
  readonly searchFolders: readonly string[]
  /** User of a system service; null for a service of the current user. */
  readonly user: string | null
}

/**
 * Seconds for a complete stop. The supervisor kills a process that has not stopped after 4 s (process-group.ts); the
 * rest is reserve for slow disks.
 */
const STOP_TIMEOUT_S = 30

/** Returns the text of the unit. Throws a `StopError` if a path contains a line break, which systemd cannot read. */
export function formatUnit({ command, workingFolder, searchFolders, user }: ServiceUnit): string {
  const invalid = [...command, workingFolder, ...searchFolders].find((text) => /[\r\n]/.test(text))
  if (invalid !== undefined)
    throw new StopError(`systemd can't use a path with a line break: ${JSON.stringify(invalid)}. Rename the folder.`)
  return `${UNIT_MARK}
[Unit]
Description=Porchlight
${user === null ? '' : 'Wants=network-online.target\nAfter=network-online.target\n'}
[Service]
Type=exec
${user === null ? '' : `User=${user}\n`}WorkingDirectory=${escapeSpecifiers(workingFolder)}
ExecStart=${command.map(quoteArgument).join(' ')}
Environment=${quote(`PATH=${[...new Set(searchFolders)].join(':')}`)}
# The supervisor stops its processes in order. systemd kills only those that are left.
KillMode=mixed
KillSignal=SIGTERM
TimeoutStopSec=${STOP_TIMEOUT_S}
Restart=on-failure
RestartSec=10
NoNewPrivileges=true

[Install]
WantedBy=${user === null ? 'default' : 'multi-user'}.target
`
}

const escapeSpecifiers = (text: string) => text.replaceAll('%', '%%')
const quote = (text: string) => `"${escapeSpecifiers(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
/** In a command, `$` also begins a variable. */
const quoteArgument = (text: string) => quote(text.replaceAll('$', '$$$$'))

/** Returns the folder for units of the system or of the current user. */
export function getUnitFolder(isSystem: boolean): string {
  if (isSystem) return '/etc/systemd/system'
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd/user')
}

/** Returns the user who runs a system service: the one who called sudo, otherwise the current user. */
export const getServiceUser = () => process.env['SUDO_USER'] || userInfo().username

/** Throws a `StopError` on systems that never have systemd. */
export function requireSystemd(platform: NodeJS.Platform = process.platform): void {
  if (platform === 'linux') return
  throw new StopError(
    'porchlight service supports only systemd, which this system doesn’t have. On macOS, write a launchd agent that runs porchlight start.',
  )
}
