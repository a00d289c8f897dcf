import { hostname } from 'node:os'
import { parseArgs } from 'node:util'

export interface BridgeRunOptions {
  readonly provider: string
  readonly dataFolder: string
  /** Folder of the rendered scenes; undefined: the scenes of this repository. */
  readonly scenes: string | undefined
  /**
   * Number of virtual cameras in the first home. Undefined: the default of `assignVirtualCameras`. 0: no virtual
   * cameras in any home.
   */
  readonly virtual: number | undefined
  /**
   * Maximum bytes of undelivered recordings on disk; undefined: 1 GB. Above this limit, the bridge deletes the oldest
   * clips but keeps their events.
   */
  readonly queueBytes?: number | undefined
  /** Time that battery cameras take to wake, ms; undefined: a realistic time, derived from the device id. */
  readonly wakeMs?: number | undefined
  /**
   * Activity of virtual cameras. `chance`: random actions by their day schedules. `none`: empty day schedules, and a
   * recording only for each request in `DATA/visits` (virtual/visit-requests.ts).
   */
  readonly visits?: 'chance' | 'none' | undefined
}

export type BridgeCommand =
  | { readonly command: 'run'; readonly options: BridgeRunOptions }
  | {
      readonly command: 'add-camera'
      readonly data: string
      readonly url: string
      readonly name?: string
      readonly home?: string
      readonly sub?: string
      readonly h265?: 'transcode' | 'refuse'
    }
  | { readonly command: 'add-cameras'; readonly data: string }
  | { readonly command: 'doctor'; readonly url: string | undefined; readonly data: string | undefined }
  | { readonly command: 'discover'; readonly asksForUser: boolean }
  | {
      readonly command: 'enroll'
      readonly code: string
      readonly provider: string
      readonly data: string
      readonly name: string
    }
  | { readonly command: 'remove-camera'; readonly data: string; readonly which: string }
  | { readonly command: 'list-cameras'; readonly data: string }
  | { readonly command: 'help'; readonly text: string }

const USAGE = `usage:
  node scripts/bridge.mjs --provider URL --data DIR [--virtual N | --no-virtual] [--scenes DIR] [--queue-mb N]
      [--visits chance|none]                            (none: a virtual camera records a visit only when someone creates the file DIR/visits/CAMERA-ID)
  node scripts/bridge.mjs enroll CODE --provider URL --data DIR [--name NAME]
  node scripts/bridge.mjs add-camera rtsp://user:password@host/path --data DIR [--name NAME] [--sub rtsp://...]
      [--h265 transcode|refuse] [--home HOME]
  node scripts/bridge.mjs add-camera - --data DIR         (reads the address from the first line of standard input
                                                           and the sub-stream's from the second)
  node scripts/bridge.mjs add-cameras --data DIR          (reads lines of ADDRESS [SUB-STREAM-ADDRESS] [NAME]
                                                           from standard input)
  node scripts/bridge.mjs doctor rtsp://user:password@host/path | - | --data DIR
  node scripts/bridge.mjs discover [-]                    (searches for cameras with ONVIF; - reads the username and
                                                           password from two lines of standard input)
  node scripts/bridge.mjs remove-camera URL|NAME|ID --data DIR
  node scripts/bridge.mjs list-cameras --data DIR`

const CAMERA_HELP = `porchlight camera COMMAND [options]
  add ADDRESS        add a camera, such as rtsp://user:password@host/path; with the address of a stored camera, change
                     that camera
  add -              read the address from the first line of standard input and the sub-stream's from the second;
                     unlike ADDRESS, this hides passwords from ps
  list               list the cameras that you added
  remove CAMERA      remove a camera by its name, ID, or address, with its events
  --name NAME        name of the camera
  --sub ADDRESS      address of the sub-stream
  --h265 refuse      don't transcode H.265 video (transcode)
  --home HOME        ID of the camera's home; by default, the first home of this computer's hub
  --data DIR         data folder (.porchlight)
Stop Porchlight before you add or remove a camera. The hub reads the list only when it starts.`

const DOCTOR_HELP = `porchlight doctor [ADDRESS | -] [options]
  Tests a camera, and prints the findings and what to change. Without an address, tests all cameras that you added.
  ADDRESS            address such as rtsp://user:password@host/path
  -                  read the address from standard input; unlike ADDRESS, this hides passwords from ps
  --data DIR         data folder with the cameras (.porchlight)`

/** Commands after `camera`. */
const CAMERA_COMMANDS: Readonly<Record<string, string>> = {
  add: 'add-camera',
  list: 'list-cameras',
  remove: 'remove-camera',
}
/** Former name of `enroll`, which users may still have in their scripts. */
const FORMER_ENROLL_COMMAND = 'enrol'
const DEFAULT_DATA_FOLDER = '.porchlight'

const COMMANDS_WITH_TARGET: ReadonlySet<string> = new Set(['enroll', 'add-camera', 'remove-camera'])

/**
 * Parses the arguments of the hub, including those of `porchlight camera` and `porchlight doctor`. Throws a user-facing
 * Error if they are invalid.
 */
export function parseBridgeArguments(argv: readonly string[]): BridgeCommand {
  const { values, positionals } = parseArguments(argv)
  const [group, name, target] = positionals
  if (values.help || (group === 'camera' && name === undefined)) return { command: 'help', text: selectHelp(group) }
  if (group !== 'camera') return parseCommand(group === FORMER_ENROLL_COMMAND ? 'enroll' : group, name, values)
  const command = Object.hasOwn(CAMERA_COMMANDS, name ?? '') ? CAMERA_COMMANDS[name ?? ''] : undefined
  if (command === undefined) throw new Error(`Unknown command: camera ${name}.\n\n${CAMERA_HELP}`)
  return parseCommand(command, target, { data: DEFAULT_DATA_FOLDER, ...values }, CAMERA_HELP)
}

const selectHelp = (group: string | undefined) =>
  group === 'camera' ? CAMERA_HELP : group === 'doctor' ? DOCTOR_HELP : USAGE

function parseArguments(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      provider: { type: 'string' },
      data: { type: 'string' },
      scenes: { type: 'string' },
      virtual: { type: 'string' },
      'no-virtual': { type: 'boolean' },
      name: { type: 'string' },
      home: { type: 'string' },
      sub: { type: 'string' },
      h265: { type: 'string' },
      'queue-mb': { type: 'string' },
      'wake-ms': { type: 'string' },
      visits: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
}

type ArgumentValues = ReturnType<typeof parseArguments>['values']

function parseCommand(
  command = 'run',
  target: string | undefined,
  values: ArgumentValues,
  usage: string = USAGE,
): BridgeCommand {
  const { data, name, home, sub, h265 } = values
  if (command === 'doctor')
    return { command, url: target, data: target === undefined ? (data ?? DEFAULT_DATA_FOLDER) : data }
  if (command === 'discover') return { command, asksForUser: target === '-' }
  if (data === undefined) throw new Error(`--data is missing.\n${USAGE}`)
  if (command === 'run') return { command, options: parseRunOptions(values, data) }
  if (command === 'add-cameras' || command === 'list-cameras') return { command, data }
  if (!COMMANDS_WITH_TARGET.has(command)) throw new Error(`Unknown command: ${command}.\n${USAGE}`)
  if (target === undefined)
    throw new Error(`${command === 'enroll' ? 'The code' : 'The camera address or name'} is missing.\n${usage}`)
  if (command === 'enroll')
    return { command, code: target, provider: parseProviderOrigin(values.provider), data, name: name ?? hostname() }
  if (h265 !== undefined && h265 !== 'transcode' && h265 !== 'refuse')
    throw new Error('--h265 must be transcode or refuse.')
  if (command === 'add-camera') {
    return {
      command,
      data,
      url: target,
      ...(name && { name }),
      ...(home && { home }),
      ...(sub && { sub }),
      ...(h265 && { h265 }),
    }
  }
  return { command: 'remove-camera', data, which: target }
}

interface RunValues {
  readonly provider?: string | undefined
  readonly scenes?: string | undefined
  readonly virtual?: string | undefined
  readonly 'no-virtual'?: boolean | undefined
  readonly 'queue-mb'?: string | undefined
  readonly 'wake-ms'?: string | undefined
  readonly visits?: string | undefined
}

function parseRunOptions(values: RunValues, data: string): BridgeRunOptions {
  const count = values['no-virtual'] ? 0 : values.virtual === undefined ? undefined : Number(values.virtual)
  if (count !== undefined && (!Number.isInteger(count) || count < 0 || count > 64))
    throw new Error('--virtual must be a number from 0 to 64.')
  const { visits = 'chance' } = values
  if (visits !== 'chance' && visits !== 'none') throw new Error('--visits must be chance or none.')
  return {
    provider: parseProviderOrigin(values.provider),
    dataFolder: data,
    scenes: values.scenes,
    virtual: count,
    queueBytes: parseWholeNumber({ 'queue-mb': process.env['BRIDGE_QUEUE_MB'], ...values }, 'queue-mb', 1_000_000),
    wakeMs: parseWholeNumber(values, 'wake-ms', 1),
    visits,
  }
}

function parseProviderOrigin(url = ''): string {
  const provider = URL.parse(url)
  if (provider && /^https?:$/.test(provider.protocol)) return provider.origin
  throw new Error(`--provider must be a URL such as http://127.0.0.1:8788.\n${USAGE}`)
}

function parseWholeNumber(values: RunValues, name: 'queue-mb' | 'wake-ms', unit: number): number | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} must be a whole number.`)
  return Number(value) * unit
}
