/** `porchlight service`: writes or deletes a systemd unit that runs `porchlight start`. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseOptions, START_OPTIONS } from './lib/args.ts'
import { runCommand } from './lib/command.ts'
import { getProgramFile } from './lib/package-layout.ts'
import { formatUnit, getServiceUser, getUnitFolder, requireSystemd, UNIT_MARK, UNIT_NAME } from './lib/service-unit.ts'
import { StopError } from './lib/stop.ts'

const HELP = `porchlight service COMMAND [options]
  install        write a systemd unit that runs porchlight start, and print the commands that turn it on
  uninstall      delete that unit
  --system       unit of the system, which needs root; by default, the unit belongs to your user
install also accepts these options of porchlight start:
  --data DIR     data folder (.porchlight)
  --port N       portal on N, provider on N+1, card page on N+2 (8787)
  --lan          serve the local network over HTTPS
To list the others, run: porchlight start --help`

/** Options of `porchlight start` that a service must not repeat at each start. */
const SINGLE_USE_OPTIONS: readonly string[] = ['fresh', 'camera', 'camera-file', 'remove']

/** Options whose value is a path, relative to the current folder. */
const PATH_OPTIONS: readonly string[] = ['cert', 'key']

const root = fileURLToPath(new URL('..', import.meta.url))
const print = (line: string) => console.log(line)

function main(): void {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined || [command, ...args].some((text) => text === '--help' || text === '-h')) return print(HELP)
  requireSystemd()
  const isSystem = args.includes('--system')
  const startArgs = args.filter((text) => text !== '--system')
  if (command === 'install') return install(startArgs, isSystem)
  if (command !== 'uninstall') throw new StopError(`Unknown command: ${command}.\n\n${HELP}`)
  if (startArgs.length > 0) throw new StopError(`Unknown option: ${startArgs.join(' ')}.\n\n${HELP}`)
  uninstall(isSystem)
}

function install(startArgs: readonly string[], isSystem: boolean): void {
  if (root.includes('/_npx/'))
    throw new StopError(
      'This copy of Porchlight is in the cache of npx, which npm may delete. Install Porchlight first: npm install -g porchlight',
    )
  const node = findProgram('node') ?? process.execPath
  const unit = formatUnit({
    command: [node, getProgramFile(root), 'start', ...makeStartArguments(startArgs)],
    workingFolder: root,
    searchFolders: [
      ...[node, findProgram('npm'), findProgram('ffmpeg')].flatMap((file) => (file === undefined ? [] : dirname(file))),
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
    ],
    user: isSystem ? getServiceUser() : null,
  })
  const path = join(getUnitFolder(isSystem), UNIT_NAME)
  const isReplaced = requireOwnUnit(path)
  changeFiles(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, unit)
  })
  const systemctl = isSystem ? 'sudo systemctl' : 'systemctl --user'
  print(`Saved ${path}.`)
  if (isReplaced)
    print(`To use the new settings, run:\n  ${systemctl} daemon-reload\n  ${systemctl} restart porchlight`)
  print(
    `To start Porchlight now and at every ${isSystem ? 'boot' : 'login'}, run:\n  ${systemctl} enable --now porchlight`,
  )
  if (!isSystem)
    print('To start Porchlight at boot and keep it running after you log out, also run:\n  loginctl enable-linger')
  print(`To read its output, run:\n  journalctl ${isSystem ? '-u' : '--user -u'} porchlight`)
}

/**
 * Returns the arguments for `porchlight start` with absolute paths. Throws a `StopError` if one is invalid or
 * must not be repeated at each start.
 */
function makeStartArguments(args: readonly string[]): string[] {
  const options = parseOptions(args)
  if (options === 'help') return []
  const { tokens } = parseArgs({ args: [...args], options: START_OPTIONS, tokens: true })
  const chosen = tokens.flatMap((token) => (token.kind === 'option' && token.name !== 'data' ? [token] : []))
  const singleUse = chosen.find(({ name }) => SINGLE_USE_OPTIONS.includes(name))
  if (singleUse)
    throw new StopError(
      `${singleUse.rawName} can't be part of a service, because the service would repeat it at each start. Run it once first: porchlight start ${singleUse.rawName}${singleUse.value === undefined ? '' : ' …'}`,
    )
  const valueArguments = ({ name, value }: (typeof chosen)[number]) =>
    value === undefined ? [] : [PATH_OPTIONS.includes(name) ? resolve(value) : value]
  return ['--data', resolve(options.data), ...chosen.flatMap((token) => [token.rawName, ...valueArguments(token)])]
}

function uninstall(isSystem: boolean): void {
  const path = join(getUnitFolder(isSystem), UNIT_NAME)
  if (!requireOwnUnit(path))
    throw new StopError(
      `${path} doesn't exist, so nothing was deleted.${isSystem ? '' : ' To delete the unit of the system, add --system.'}`,
    )
  const target = isSystem ? 'multi-user.target' : 'default.target'
  changeFiles(path, () => {
    // `systemctl enable` created this link.
    rmSync(join(dirname(path), `${target}.wants`, UNIT_NAME), { force: true })
    rmSync(path)
  })
  const systemctl = isSystem ? 'sudo systemctl' : 'systemctl --user'
  print(`Deleted ${path}. Your data is unchanged.`)
  print(`If Porchlight is running, stop it:\n  ${systemctl} stop porchlight\n  ${systemctl} daemon-reload`)
}

/** Returns true if our unit exists. Throws a `StopError` if another unit has this name. */
function requireOwnUnit(path: string): boolean {
  if (!existsSync(path)) return false
  if (readFileSync(path, 'utf8').startsWith(UNIT_MARK)) return true
  throw new StopError(`${path} wasn't written by porchlight service. Rename that unit, then try again.`)
}

function changeFiles(path: string, change: () => void): void {
  try {
    change()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES') throw new StopError(`You aren't allowed to change ${path}. With --system, use sudo.`)
    throw new StopError(`${path} can't be changed: ${message}`)
  }
}

/** Returns the path of a program on the user's own PATH, without the programs in `node_modules`. */
function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && !folder.startsWith(join(root, 'node_modules')))
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}

await runCommand(main)
