import { parseCommandArguments } from './command.ts'
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
}

export const HELP = `npm start -- [options]
  --camera rtsp://user:password@host/path   add a camera (repeat for more)
  --camera-file FILE                        add cameras from a file, one per line: address [sub-stream address] [name];
                                            - reads standard input. Unlike --camera, this hides passwords from ps
  --remove NAME-OR-ID                       remove a camera
  --port N       portal on N, provider on N+1, card page on N+2 (8787)
  --data DIR     data folder (.porchlight)
  --fresh        delete everything in the data folder before starting
  --virtual N    run N virtual cameras in the owner's home
  --visits none  virtual cameras record only visits requested in DIR/visits, for tests (chance)`

/** Parses the options of `npm start`. Throws a `StopError` with an explanation if they are invalid. */
export function parseOptions(argv: readonly string[]): StartOptions | 'help' {
  const { values } = parseArguments(argv)
  if (values.help) return 'help'
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1024 || port > 65_533) {
    throw new StopError(`--port ${values.port} isn't valid. Choose a number from 1024 to 65533.`)
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
  }
}

function parseArguments(argv: readonly string[]) {
  return parseCommandArguments(
    {
      args: [...argv],
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: '.porchlight' },
        fresh: { type: 'boolean', default: false },
        camera: { type: 'string', multiple: true, default: [] },
        'camera-file': { type: 'string' },
        remove: { type: 'string', multiple: true, default: [] },
        virtual: { type: 'string' },
        visits: { type: 'string', default: 'chance' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
}
