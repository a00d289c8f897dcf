/** `porchlight account`: manages accounts of a running provider through its operator calls. */
import { join } from 'node:path'
import { renderUnicodeCompact } from 'uqr'
import * as v from 'valibot'
import { activityPageResponse } from '../contract/account/activity.ts'
import { accountList, ADMIN_PATHS, invitationResponse, setupResponse } from '../contract/operator/operator-calls.ts'
import { getPlan } from '../contract/billing/plan-catalog.ts'
import { promptNewPassword } from './lib/ask-password.ts'
import { formatCommand, parseCommandArguments, runCommand } from './lib/command.ts'
import { callOperator, readOperator, type OperatorCredentials } from './lib/operator.ts'
import { StopError } from './lib/stop.ts'

const HELP = `${formatCommand('account')} COMMAND [options]
  invite EMAIL              print a sign-up link for EMAIL; the link works once and expires in 7 days
  add EMAIL [--home NAME]   create an account and a home; NAME can be the id of an existing home
  list                      list the accounts and who is waiting for a plan that isn't available yet
  password EMAIL            set a new password and log EMAIL out everywhere
  reset-second-factor EMAIL
                            turn off two-step verification and delete the passkeys of EMAIL
  remove EMAIL              delete the account immediately, with the homes that no one else owns and
                            their recordings; to keep a home, first run: add NEW --home ID
  activity EMAIL            print the activity of EMAIL and its homes as JSON lines, newest first
  setup-code                print the setup code for the first-run page
  --data DIR     data folder of the running Porchlight (.porchlight)
  --env FILE     environment file of another provider, such as production.env
The command reads a password from the terminal, or from standard input.`

const print = (line: string) => console.log(line)

async function main(): Promise<void> {
  const { values, positionals } = parseArguments(process.argv.slice(2))
  const [command, email] = positionals
  if (values.help || command === undefined) return print(HELP)
  const operator = readOperator(values.env ?? join(values.data, 'run.env'))
  if (command === 'list') return printAccounts(operator)
  if (command === 'setup-code') return printSetupCode(operator)
  if (!['add', 'invite', 'password', 'remove', 'reset-second-factor', 'activity'].includes(command))
    throw new StopError(`Unknown command: ${command}.\n\n${HELP}`)
  if (email === undefined)
    throw new StopError(`Add the account's email: ${formatCommand('account')} ${command} someone@example.com`)
  if (command === 'activity') return printActivity(operator, email)
  if (command === 'invite') return printInvitation(operator, email)
  const accountPath = `${ADMIN_PATHS.accounts}/${encodeURIComponent(email)}`
  if (command === 'remove') {
    await explainMissingAccount(email, callOperator(operator, 'DELETE', accountPath))
    return print(
      `Deleted the account ${email} and the homes that no one else owns. The account's invoices are retained without the name, address, and card.`,
    )
  }
  if (command === 'reset-second-factor') {
    await explainMissingAccount(email, callOperator(operator, 'DELETE', `${accountPath}/second-factor`))
    return print(
      `Turned off two-step verification and deleted the passkeys for ${email}. The account has been logged out everywhere.`,
    )
  }
  const password = await promptNewPassword(process.stdin, (text) => process.stderr.write(text))
  if (command === 'add') {
    const home = values.home === undefined ? {} : { home: values.home }
    await callOperator(operator, 'POST', ADMIN_PATHS.accounts, { email, password, ...home })
    return print(`${email} can log in now.`)
  }
  await explainMissingAccount(email, callOperator(operator, 'PUT', accountPath, { password }))
  print(`Changed the password for ${email}. ${email} has been logged out everywhere.`)
}

function parseArguments(args: string[]) {
  return parseCommandArguments(
    {
      args,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: '.porchlight' },
        env: { type: 'string' },
        home: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
}

/** Replaces the provider's 404 message, which is about a missing page, with a message about the missing account. */
async function explainMissingAccount(email: string, request: Promise<unknown>): Promise<unknown> {
  return await request.catch((error: unknown) => {
    if (error instanceof StopError && error.message.includes('could not be found')) {
      throw new StopError(
        `There is no account for ${email}. To list all accounts, run: ${formatCommand('account')} list`,
      )
    }
    throw error
  })
}

async function printAccounts(operator: OperatorCredentials): Promise<void> {
  const { accounts } = v.parse(accountList, await callOperator(operator, 'GET', ADMIN_PATHS.accounts)).data
  if (accounts.length === 0) print('There are no accounts yet.')
  for (const { email, homes, last_sign_in_at: at, t3_list: isOnT3List } of accounts) {
    const where = homes.map(({ name, home_id }) => `${name} (${home_id})`).join(', ')
    const when = at === null ? 'never logged in' : `last logged in ${new Date(at).toISOString().slice(0, 10)}`
    const waits = isOnT3List ? `; on the waitlist for ${getPlan('pro').name}` : ''
    print(`${email.padEnd(30)} ${when.padEnd(26)} ${where}${waits}`)
  }
}

async function printActivity(operator: OperatorCredentials, email: string): Promise<void> {
  const path = `${ADMIN_PATHS.activity}/${encodeURIComponent(email)}`
  let before: string | null = ''
  while (before !== null) {
    const request = callOperator(operator, 'GET', before === '' ? path : `${path}?before=${before}`)
    const page: v.InferOutput<typeof activityPageResponse> = v.parse(
      activityPageResponse,
      await explainMissingAccount(email, request),
    )
    for (const entry of page.data.entries) print(JSON.stringify(entry))
    before = page.data.next
  }
}

async function printInvitation(operator: OperatorCredentials, email: string): Promise<void> {
  const path = `${ADMIN_PATHS.accounts}/${encodeURIComponent(email)}/invitation`
  const { url } = v.parse(invitationResponse, await callOperator(operator, 'POST', path)).data
  print(renderUnicodeCompact(url))
  print(`To let ${email} create an account, share this link. The link works once and expires in 7 days:\n${url}`)
}

async function printSetupCode(operator: OperatorCredentials): Promise<void> {
  const { setup_code: code } = v.parse(setupResponse, await callOperator(operator, 'GET', ADMIN_PATHS.setup)).data
  print(code ?? 'The first account already exists, so there is no setup code.')
}

await runCommand(main)
