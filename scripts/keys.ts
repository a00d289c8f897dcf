/** `npm run keys`: rotates the keys of a data folder or a deployment without ending any session. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { rotateKeysInFile } from './lib/secrets-file.ts'
import { StopError } from './lib/stop.ts'

const HELP = `npm run keys -- rotate [options]
  Creates new keys for the portal's and the provider's cookies (COOKIE_KEY, PROVIDER_COOKIE_KEY), ID tokens
  (PROVIDER_JWKS), image and clip URLs (MEDIA_KEY), and two-step verification (FACTOR_KEY).
  The previous keys stay valid until the next rotation, except those for two-step verification, which never expire.
  No one is logged out or locked out. Wait at least 14 days between rotations.
  --data DIR     data folder of Porchlight (.porchlight); takes effect at the next start
  --env FILE     environment file of a deployment, such as production.env; takes effect at the next npm run deploy`

function main(): void {
  const { values, positionals } = parseArguments(process.argv.slice(2))
  const [command] = positionals
  if (values.help || command === undefined) return console.log(HELP)
  if (command !== 'rotate') throw new StopError(`Unknown command: ${command}.\n\n${HELP}`)
  const path = values.env ?? join(values.data, 'secrets.env')
  if (!existsSync(path))
    throw new StopError(`${path} doesn't exist. Set a data folder with --data or a file with --env.`)
  rotateKeysInFile(path)
  const then = values.env === undefined ? 'stop Porchlight and start it again.' : `run: npm run deploy -- --env ${path}`
  console.log(`${path} has new keys. To use them without logging anyone out, ${then}`)
}

function parseArguments(args: string[]) {
  return parseCommandArguments(
    {
      args,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: '.porchlight' },
        env: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
}

await runCommand(main)
