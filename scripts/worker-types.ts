/** Writes the types of both Workers' bindings from their wrangler.toml; `--check` fails if a file is out of date. */
import { wrangler } from './lib/wrangler.ts'
import { StopError } from './lib/stop.ts'

const root = new URL('..', import.meta.url).pathname
const WORKER_TYPES = [
  { types: 'provider/worker-configuration.d.ts', config: 'provider/wrangler.toml', name: 'ProviderBindings' },
  { types: 'functions/worker-configuration.d.ts', config: 'wrangler.toml', name: 'PortalBindings' },
]
const checkOption = process.argv.includes('--check') ? ['--check'] : []

try {
  for (const { types, config, name } of WORKER_TYPES)
    wrangler(
      root,
      'types',
      types,
      '--config',
      config,
      '--env-interface',
      name,
      '--include-runtime',
      'false',
      ...checkOption,
    )
} catch (error) {
  if (!(error instanceof StopError)) throw error
  console.error(`${error.message}\nRegenerate the types: npm run worker-types`)
  process.exitCode = 1
}
