import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import {
  ADMIN_PATHS,
  accountEmail,
  createAccountRequest,
  setPasswordRequest,
  type accountList,
  type invitationResponse,
} from '../../contract/operator/operator-calls.ts'
import { recordAccountActivity } from '../accounts/activity/record-activity.ts'
import type { AppEnv, Env } from '../env.ts'
import { closeUserSockets } from '../homes/feed/close-user-sockets.ts'
import { readCallInput } from '../platform/http/read-call-input.ts'
import { badRequest, notFound, ApiError } from '../platform/api-error.ts'
import {
  createUserId,
  findAccountByEmail,
  hasNoAccounts,
  setPasswordHash,
  type AccountRow,
} from '../accounts/account-rows.ts'
import {
  INVITATION_LIFETIME_MS,
  createInvitationToken,
  createInvitationUrl,
  storeInvitationLink,
} from '../accounts/invitations/invitation-links.ts'
import { deleteSecondFactor } from '../identity/two-factor/second-factor-rows.ts'
import { createAccount } from '../identity/create-account.ts'
import { deleteAllPasskeys } from '../identity/passkeys/passkey-rows.ts'
import { findPasswordProblem } from '../identity/password/password-rules.ts'
import { hashPassword } from '../identity/password/hash-password.ts'
import { getSetupCode } from '../identity/sign-in/setup-code.ts'
import { endAllSignIns } from '../identity/sign-in/sign-out.ts'
import { deleteAccountNow } from '../accounts/deletion/schedule-deletion.ts'
import { requireOperator } from '../platform/auth/require-operator.ts'
import { T3_LIST } from '../accounts/settings/t3-list.ts'

type AccountList = v.InferOutput<typeof accountList>['data']['accounts']

async function parseInput<Schema extends v.GenericSchema>(c: Context<AppEnv>, schema: Schema) {
  const parsed = v.safeParse(schema, (await readCallInput(c)).payload)
  if (parsed.success) return parsed.output
  const field = v.getDotPath(parsed.issues[0])
  throw badRequest(
    field === 'password' ? 'Use a password with 10 to 200 characters.' : `The ${field ?? 'request'} is malformed.`,
  )
}

function requireStrongPassword(password: string, email: string): void {
  const problem = findPasswordProblem(password, email)
  if (problem !== null) throw badRequest(problem)
}

async function requireAccount(c: Context<AppEnv>): Promise<AccountRow> {
  const account = await findAccountByEmail(c.env.DB, c.req.param('email') ?? '')
  if (account === null) throw notFound()
  return account
}

async function listAccounts(env: Env): Promise<AccountList> {
  const { results } = await env.DB.prepare(
    `SELECT user_id, email, created_at, last_sign_in_at, EXISTS (
       SELECT 1 FROM account_settings AS own
       WHERE own.user_id = accounts.user_id AND own.name = ? AND own.value = 'true'
     ) AS t3_list, (
       SELECT json_group_array(json_object('home_id', home_id, 'name', name, 'role', role))
       FROM home_members JOIN homes USING (home_id) WHERE home_members.user_id = accounts.user_id
     ) AS homes FROM accounts ORDER BY created_at, email`,
  )
    .bind(T3_LIST)
    .all<Omit<AccountList[number], 'homes' | 't3_list'> & { homes: string; t3_list: number }>()
  return results.map((row) => ({
    ...row,
    t3_list: row.t3_list === 1,
    homes: JSON.parse(row.homes) as AccountList[number]['homes'],
  }))
}

/**
 * Deletes the account immediately, with the same effects as a deletion that the user schedules
 * (provider/accounts/deletion). Throws 409 for the last account.
 */
async function deleteAccountByEmail(env: Env, { userId, email }: AccountRow, now: number): Promise<void> {
  const others = await env.DB.prepare('SELECT 1 AS one FROM accounts WHERE user_id <> ? LIMIT 1').bind(userId).first()
  if (others === null) {
    throw new ApiError(409, 409, 'The last account can’t be removed. Create another account first.')
  }
  await deleteAccountNow(env, { userId, email }, now)
}

/** Creates a link with which this address can create an account. Throws 409 if it has one. */
async function createInvitation(
  env: Env,
  address: string,
  now: number,
): Promise<v.InferOutput<typeof invitationResponse>['data']> {
  const { success, output: email } = v.safeParse(accountEmail, address)
  if (!success) throw badRequest('That isn’t a valid email address.')
  if ((await findAccountByEmail(env.DB, email)) !== null)
    throw new ApiError(409, 409, `${email} already has an account.`)
  const token = createInvitationToken()
  await storeInvitationLink(env.DB, { userId: createUserId(), email, source: null }, token, now)
  return { url: createInvitationUrl(env, token), expires_at: now + INVITATION_LIFETIME_MS }
}

export function accountRoutes(app: Hono<AppEnv>): void {
  const accountPath = `${ADMIN_PATHS.accounts}/:email`

  app.get(ADMIN_PATHS.setup, requireOperator, async (c) => {
    const isSetupOpen = c.env.DEMO !== '1' && (await hasNoAccounts(c.env.DB))
    return c.json({ code: 200, data: { setup_code: isSetupOpen ? getSetupCode(c.env) : null } })
  })

  app.get(ADMIN_PATHS.accounts, requireOperator, async (c) =>
    c.json({ code: 200, data: { accounts: await listAccounts(c.env) } }),
  )

  app.post(ADMIN_PATHS.accounts, requireOperator, async (c) => {
    const { email, password, home } = await parseInput(c, createAccountRequest)
    requireStrongPassword(password, email)
    const newAccount = { email, home, passwordHash: await hashPassword(password), first: false }
    const userId = await createAccount(c.env, newAccount, Date.now())
    if (userId === null) throw new ApiError(409, 409, `${email} already has an account.`)
    return c.json({ code: 200 })
  })

  app.put(accountPath, requireOperator, async (c) => {
    const account = await requireAccount(c)
    const { password } = await parseInput(c, setPasswordRequest)
    requireStrongPassword(password, account.email)
    await setPasswordHash(c.env.DB, account.userId, await hashPassword(password))
    await endAllSignIns(c.env, account.userId, null)
    recordAccountActivity(c.env, account.userId, 'password-changed', null, Date.now())
    await closeUserSockets(c.env, account.userId)
    return c.json({ code: 200 })
  })

  app.post(`${accountPath}/invitation`, requireOperator, async (c) => {
    const data = await createInvitation(c.env, c.req.param('email') ?? '', Date.now())
    return c.json({ code: 200, data })
  })

  app.delete(`${accountPath}/second-factor`, requireOperator, async (c) => {
    const { userId } = await requireAccount(c)
    const [hadFactor, hadPasskeys] = [
      await deleteSecondFactor(c.env.DB, userId),
      await deleteAllPasskeys(c.env.DB, userId),
    ]
    if (!hadFactor && !hadPasskeys)
      throw new ApiError(409, 409, 'This account has neither two-step verification nor a passkey.')
    await endAllSignIns(c.env, userId, null)
    if (hadFactor) recordAccountActivity(c.env, userId, 'second-factor-off', null, Date.now())
    if (hadPasskeys) recordAccountActivity(c.env, userId, 'passkey-removed', null, Date.now())
    await closeUserSockets(c.env, userId)
    return c.json({ code: 200 })
  })

  app.delete(accountPath, requireOperator, async (c) => {
    await deleteAccountByEmail(c.env, await requireAccount(c), Date.now())
    return c.json({ code: 200 })
  })
}
