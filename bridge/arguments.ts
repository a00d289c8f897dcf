import { parseArgs } from 'node:util'

export interface RunOptions {
  readonly provider: string
  readonly data: string
  /** Undefined: the scenes of this repository. */
  readonly scenes: string | undefined
  /** How many virtual cameras the first home gets; undefined: what its kind of home has, 0: none anywhere. */
  readonly virtual: number | undefined
}

export type Command =
  | { readonly command: 'run'; readonly options: RunOptions }
  | {
      readonly command: 'add-camera'
      readonly data: string
      readonly url: string
      readonly name?: string
      readonly home?: string
    }
  | { readonly command: 'remove-camera'; readonly data: string; readonly which: string }

const USAGE = `usage:
  node bridge/main.ts --provider URL --data DIR [--virtual N | --no-virtual] [--scenes DIR]
  node bridge/main.ts add-camera rtsp://user:password@host/path --data DIR [--name NAME] [--home HOME]
  node bridge/main.ts add-camera - --data DIR             (reads the address from standard input)
  node bridge/main.ts remove-camera URL|NAME|ID --data DIR`

/** Throws an Error whose message is a sentence for the terminal. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parseArgs({
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
    },
  })
  const [command = 'run', target] = positionals
  const data = values.data
  if (data === undefined) throw new Error(`--data is missing.\n${USAGE}`)
  if (command === 'run') return { command, options: runOptions(values, data) }
  if (target === undefined) throw new Error(`Which camera?\n${USAGE}`)
  const { name, home } = values
  if (command === 'add-camera') return { command, data, url: target, ...(name && { name }), ...(home && { home }) }
  if (command === 'remove-camera') return { command, data, which: target }
  throw new Error(`There is no command ${command}.\n${USAGE}`)
}

interface RunValues {
  readonly provider?: string | undefined
  readonly scenes?: string | undefined
  readonly virtual?: string | undefined
  readonly 'no-virtual'?: boolean | undefined
}

function runOptions(values: RunValues, data: string): RunOptions {
  const provider = URL.parse(values.provider ?? '')
  if (!provider || !/^https?:$/.test(provider.protocol))
    throw new Error(`--provider wants an address such as http://127.0.0.1:8788.\n${USAGE}`)
  const count = values['no-virtual'] ? 0 : values.virtual === undefined ? undefined : Number(values.virtual)
  if (count !== undefined && (!Number.isInteger(count) || count < 0 || count > 99))
    throw new Error('--virtual wants a number from 0 to 99.')
  return { provider: provider.origin, data, scenes: values.scenes, virtual: count }
}
