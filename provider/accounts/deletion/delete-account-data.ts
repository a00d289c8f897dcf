import { homeLog, userLog } from '../activity/logs.ts'
import { noteInHome } from '../activity/record-activity.ts'
import { homePrefix } from '../../platform/media-urls/object-keys.ts'
import type { Env } from '../../env.ts'
import { closeUserSockets } from '../../homes/feed/close-user-sockets.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { ledgerOf } from '../../billing/ledger/ledger-stub.ts'
import { gatewayOf } from '../../billing/payment/select-gateway.ts'
import { insightsOf } from '../../telemetry/insights/insights.ts'
import { forgetVisits, personsOf } from '../../telemetry/visit-rows.ts'
import { belongingsOf, type Thing } from './owned-resources.ts'
import { D1_RULES, filled, guardsOf, type Gone } from './table-rules.ts'

/** Whose removal it is. */
export interface Leaver {
  readonly userId: string
  readonly email: string
}

/** Where the list of what is to end outlives what it was made from. */
export interface Kept {
  keep(things: readonly Thing[]): void
  things(): readonly Thing[]
}

/**
 * Removes an account with all that is its own. Each step may be done again: whatever ends it in between, the next time does
 * what is left. The row of the account goes last.
 */
export async function removeAccount(env: Env, leaver: Leaver, kept: Kept, now: number): Promise<void> {
  const { userId } = leaver
  const before = await belongingsOf(env, userId)
  kept.keep(before)
  await closeUserSockets(env, userId, now)
  await ledgerOf(env, userId).end(now)
  for (const { kind, id } of before)
    if (kind === 'guest-home') noteInHome(env, id, { kind: 'account-removed', who: null }, now)
  await removeRows(env, leaver, kept.things())
  await removeObjects(env, leaver, kept.things(), now)
  await env.DB.prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId).run()
}

const idsOf = (things: readonly Thing[], kind: Thing['kind']) =>
  JSON.stringify(things.filter((one) => one.kind === kind).map(({ id }) => id))

/** All rows of D1 but that of the account, or none. From then on nobody gets at the objects. */
async function removeRows(env: Env, { userId, email }: Leaver, things: readonly Thing[]): Promise<void> {
  const [homes, cameras, bridges] = [idsOf(things, 'home'), idsOf(things, 'camera'), idsOf(things, 'bridge')]
  const persons = JSON.stringify(personsOf(env, email))
  const gone: Gone = { user: userId, email, homes, cameras, bridges, persons }
  const statements = Object.values(D1_RULES).flatMap((rule) => {
    if ('stays' in rule) return []
    const statements = rule.goes.map((sql) => filled(sql, gone))
    return statements.map(({ sql, values }) => env.DB.prepare(sql).bind(...values))
  })
  await env.DB.batch(statements)
}

/** What was granted, opened or on its way when the rows went comes to an end later: this is done a second time then. */
export async function removeObjects(env: Env, leaver: Leaver, things: readonly Thing[], now: number): Promise<void> {
  const { userId, email } = leaver
  for (const thing of things) await removeThing(env, leaver, thing, now)
  await ledgerOf(env, userId).forgetPerson(now)
  await gatewayOf(env)?.forgetAccount(userId)
  await env.ACTIVITY.getByName(userLog(userId)).end()
  await insightsOf(env).forget(userId)
  await forgetVisits(env, email)
  for (const name of guardsOf(userId, email)) await env.GUARDS.getByName(name).end()
}

async function removeThing(env: Env, { userId, email }: Leaver, { kind, id, at }: Thing, now: number): Promise<void> {
  switch (kind) {
    case 'vote':
      return await homeStub(env, at).dropSearchVotes(id)
    case 'bridge':
      return await env.BRIDGES.getByName(id).end()
    case 'bridge-left':
      return await env.BRIDGES.getByName(id).revoke(at, false)
    case 'camera':
      return await env.CAMERAS.getByName(id).remove(now)
    case 'home':
      await homeStub(env, id).end()
      await removeMedia(env, id)
      return await env.ACTIVITY.getByName(homeLog(id)).end()
    case 'guest-home':
      await homeStub(env, id).forget(userId)
      return await env.ACTIVITY.getByName(homeLog(id)).forget([userId, email])
    case 'guest-camera':
      return await env.CAMERAS.getByName(id).forget(userId)
  }
}

/** Clips and pictures of a home, as many at a time as one answer lists. */
async function removeMedia(env: Env, homeId: string): Promise<void> {
  for (;;) {
    const { objects } = await env.MEDIA.list({ prefix: homePrefix(homeId) })
    if (objects.length === 0) return
    await env.MEDIA.delete(objects.map(({ key }) => key))
  }
}
