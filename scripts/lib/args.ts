import { isIP } from 'node:net'
import type { ParseArgsOptionsConfig } from 'node:util'
import { formatCommand, parseCommandArguments } from './command.ts'
import { isHostName, isPrivateAddress } from './lan/lan-addresses.ts'
import { StopError } from './stop.ts'

export interface StartOptions {
  readonly port: number
  readonly data: string
  readonly fresh: boolean
  readonly cameras: readonly string[]
  /** File of camera addresses; `-` is standard input. */
  readonly cameraFile: string | null
  readonly remove: readonly string[]
  /** Number of virtual cameras in the first home, for load tests; scenes repeat. null: the default cameras. */
  readonly virtual: number | null
  /**
   * `chance`: virtual cameras have a random day schedule. `none`: they record a visit only if a file in `DATA/visits`
   * requests it (bridge/virtual/visit-requests.ts).
   */
  readonly visits: 'chance' | 'none'
  /** Options of `--lan`; null: only this computer can open Porchlight. */
  readonly lan: LanOptions | null
}

export interface LanOptions {
  /** Name or private address of the origins; null: this computer's address. */
  readonly host: string | null
  /** Files of the owner's own certificate with its chain and of its key; null: the certificate authority issues one. */
  readonly certificate: { readonly cert: string; readonly key: string } | null
}

export const HELP = `${formatCommand('start')} [options]
  --camera rtsp://user:password@host/path   add a camera (repeat for more)
  --camera-file FILE                        add cameras from a file, one per line: address [sub-stream address] [name];
                                            - reads standard input. Unlike --camera, this hides passwords from ps
  --remove NAME-OR-ID                       remove a camera
  --port N       portal on N, provider on N+1, card page on N+2 (8787)
  --data DIR     data folder (.porchlight)
  --fresh        delete everything in the data folder before starting
  --virtual N    run N virtual cameras in the owner's home
  --visits none  virtual cameras record only visits requested in DIR/visits, for tests (chance)
  --lan          serve the local network over HTTPS; also uses port N+3 for the certificate page
  --host NAME    with --lan: name of the URLs, such as hub.local (this computer's address)
  --cert FILE --key FILE
                 with --lan: your own certificate with its chain and its key, both PEM`

/** Porchlight uses up to three further ports. */
const PORT_MAX = 65_532

/** Options of `porchlight start`, for `parseArgs`. */
export const START_OPTIONS = {
  port: { type: 'string', default: '8787' },
  data: { type: 'string', default: '.porchlight' },
  fresh: { type: 'boolean', default: false },
  camera: { type: 'string', multiple: true, default: [] },
  'camera-file': { type: 'string' },
  remove: { type: 'string', multiple: true, default: [] },
  virtual: { type: 'string' },
  visits: { type: 'string', default: 'chance' },
  lan: { type: 'boolean', default: false },
  host: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig

/** Parses the options of `porchlight start`. Throws a `StopError` with an explanation if they are invalid. */
export function parseOptions(argv: readonly string[]): StartOptions | 'help' {
  const { values } = parseArguments(argv)
  if (values.help) return 'help'
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1024 || port > PORT_MAX) {
    throw new StopError(`--port ${values.port} isn't valid. Choose a number from 1024 to ${PORT_MAX}.`)
  }
  const virtualCameraCount = values.virtual === undefined ? null : Number(values.virtual)
  if (
    virtualCameraCount !== null &&
    !(Number.isInteger(virtualCameraCount) && virtualCameraCount >= 0 && virtualCameraCount <= 64)
  ) {
    throw new StopError(`--virtual ${values.virtual} isn't valid. Choose a number from 0 to 64.`)
  }
  const { visits } = values
  if (visits !== 'chance' && visits !== 'none')
    throw new StopError(`--visits ${visits} isn't valid. Choose chance or none.`)
  return {
    port,
    data: values.data,
    fresh: values.fresh,
    cameras: values.camera,
    cameraFile: values['camera-file'] ?? null,
    remove: values.remove,
    virtual: virtualCameraCount,
    visits,
    lan: parseLanOptions(values),
  }
}

/** Parses `--lan`, `--host`, `--cert` and `--key`. Throws a `StopError` for an incomplete combination. */
function parseLanOptions(values: ReturnType<typeof parseArguments>['values']): LanOptions | null {
  const { lan, cert, key } = values
  const host = values.host?.toLowerCase() ?? null
  if (!lan) {
    const extra = (['host', 'cert', 'key'] as const).find((name) => values[name] !== undefined)
    if (extra !== undefined) throw new StopError(`--${extra} works only together with --lan.`)
    return null
  }
  if (host !== null && !isHostName(host) && !(isIP(host) === 4 && isPrivateAddress(host))) {
    const reason = isIP(host) === 0 ? "isn't a hostname" : "isn't an IPv4 address in a local network"
    throw new StopError(
      `--host ${host} ${reason}. Use a name such as hub.local, or one of this computer's IPv4 addresses.`,
    )
  }
  if (cert === undefined && key === undefined) return { host, certificate: null }
  if (cert === undefined || key === undefined)
    throw new StopError('Use --cert and --key together: the certificate with its chain, and its private key.')
  return { host, certificate: { cert, key } }
}

const parseArguments = (argv: readonly string[]) =>
  parseCommandArguments({ args: [...argv], options: START_OPTIONS }, HELP)
