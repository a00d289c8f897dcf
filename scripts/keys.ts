/** `npm run keys`: rotates the keys of a data folder or a deployment without ending any session. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { rotateKeysInFile } from './lib/secrets-file.ts'
import { StopError } from './lib/stop.ts'

const HELP = `npm run keys -- rotate [options]
  New keys for the cookies of portal and provider (COOKIE_KEY, PROVIDER_COOKIE_KEY), the provider's ID tokens
  (PROVIDER_JWKS), the addresses of pictures and clips (MEDIA_KEY), and the second factors where they rest (FACTOR_KEY).
  The ones before stay valid beside them until the next rotation, those of second factors for good, so that nobody is
  signed out or locked out; leave at least 14 days between two.
  --data DIR     data folder of a Porchlight (.porchlight); counts from its next start
  --env FILE     environment of a deployment, such as production.env; counts from the next npm run deploy`

function main(): void {
  const { values, positionals } = parseArguments(process.argv.slice(2))
  const [command] = positionals
  if (values.help || command === undefined) return console.log(HELP)
  if (command !== 'rotate') throw new StopError(`There is no command ${command}.\n\n${HELP}`)
  const path = values.env ?? join(values.data, 'secrets.env')
  if (!existsSync(path))
    throw new StopError(`${path} is not there. Name a data folder with --data, or a file with --env.`)
  rotateKeysInFile(path)
  const then = values.env === undefined ? 'Stop Porchlight and start it again' : `Run npm run deploy -- --env ${path}`
  console.log(`${path} has new keys. ${then} for them to count; nobody is signed out by it.`)
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
