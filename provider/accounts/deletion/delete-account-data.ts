import { getHomeLogName, getUserLogName } from '../activity/logs.ts'
import { recordHomeActivity } from '../activity/record-activity.ts'
import { getHomePrefix } from '../../platform/media-urls/object-keys.ts'
import type { Env } from '../../env.ts'
import { changeAccess, changeAccessInBatch, selectAccountsOfOwner } from '../../platform/auth/change-access.ts'
import { closeUserSockets } from '../../homes/feed/close-user-sockets.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { getLedgerStub } from '../../billing/ledger/ledger-stub.ts'
import { selectGateway } from '../../billing/payment/select-gateway.ts'
import { deleteUserData } from '../../telemetry/insights/insights-objects.ts'
import { deleteVisits, listVisitorHashes } from '../../telemetry/visit-rows.ts'
import { listOwnedResources, type OwnedResource } from './owned-resources.ts'
import { D1_RULES, fillParameters, listGuardNames, type DeletionScope } from './table-rules.ts'
import { getObject } from '../../platform/objects.ts'

export interface DeletedAccount {
  readonly userId: string
  readonly email: string
}

/** Stored list of resources to delete. It remains when the D1 rows from which it was made are deleted. */
export interface DeletionList {
  keep(resources: readonly OwnedResource[]): void
  things(): readonly OwnedResource[]
}

/**
 * Deletes the data of an account by the rules of `table-rules.ts`, and the account's own row last. After an
 * interruption, the next run completes the deletion.
 */
export async function removeAccount(
  env: Env,
  deletedAccount: DeletedAccount,
  progress: DeletionList,
  now: number,
): Promise<void> {
  const { userId } = deletedAccount
  const resources = await listOwnedResources(env, userId)
  progress.keep(resources)
  await closeUserSockets(env, userId)
  await getLedgerStub(env, userId).closeAccount(now)
  for (const { kind, id } of resources)
    if (kind === 'guest-home') recordHomeActivity(env, id, { kind: 'account-removed', who: null }, now)
  await removeRows(env, deletedAccount, progress.things())
  await removeObjects(env, deletedAccount, progress.things(), now)
  await changeAccess(env, [userId], () => env.DB.prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId).run())
}

const listIds = (resources: readonly OwnedResource[], kind: OwnedResource['kind']) =>
  JSON.stringify(resources.filter((resource) => resource.kind === kind).map(({ id }) => id))

/**
 * Applies the rules of `D1_RULES` in one transaction. `removeAccount` calls this function before `removeObjects`, so
 * that the account first loses its tokens, memberships and shares.
 */
async function removeRows(
  env: Env,
  { userId, email }: DeletedAccount,
  resources: readonly OwnedResource[],
): Promise<void> {
  const [homes, cameras, bridges] = [
    listIds(resources, 'home'),
    listIds(resources, 'camera'),
    listIds(resources, 'bridge'),
  ]
  const persons = JSON.stringify(listVisitorHashes(env, email))
  const scope: DeletionScope = { user: userId, email, homes, cameras, bridges, persons }
  const statements = Object.values(D1_RULES).flatMap((rule) => {
    if ('stays' in rule) return []
    const statements = rule.goes.map((sql) => fillParameters(sql, scope))
    return statements.map(({ sql, values }) => env.DB.prepare(sql).bind(...values))
  })
  await changeAccessInBatch(env, selectAccountsOfOwner(env, userId), statements)
}

/**
 * Deletes the account's Durable Objects and media, and erases the account's data in objects that stay. A second pass
 * repeats this later, because tickets, sockets and messages from before the deletion stay valid for some time.
 */
export async function removeObjects(
  env: Env,
  deletedAccount: DeletedAccount,
  resources: readonly OwnedResource[],
  now: number,
): Promise<void> {
  const { userId, email } = deletedAccount
  for (const thing of resources) await deleteResource(env, deletedAccount, thing, now)
  await getLedgerStub(env, userId).erasePersonalData(now)
  await selectGateway(env)?.eraseAccount(userId)
  await getObject(env, 'ACTIVITY', getUserLogName(userId)).deleteLog()
  await deleteUserData(env, userId)
  await deleteVisits(env, email)
  for (const name of listGuardNames(userId, email)) await getObject(env, 'GUARDS', name).deleteStorage()
}

async function deleteResource(
  env: Env,
  { userId, email }: DeletedAccount,
  { kind, id, at }: OwnedResource,
  now: number,
): Promise<void> {
  switch (kind) {
    case 'vote':
      return await homeStub(env, at).deleteSearchVotes(id)
    case 'bridge':
      return await getObject(env, 'BRIDGES', id).deleteBridge()
    case 'bridge-left':
      return await getObject(env, 'BRIDGES', id).revoke(at, false)
    case 'camera':
      return await getObject(env, 'CAMERAS', id).deleteCamera(now)
    case 'home':
      await homeStub(env, id).deleteHome()
      await deleteMedia(env, id)
      return await getObject(env, 'ACTIVITY', getHomeLogName(id)).deleteLog()
    case 'guest-home':
      await homeStub(env, id).deleteAccountData(userId)
      return await getObject(env, 'ACTIVITY', getHomeLogName(id)).eraseNames([userId, email])
    case 'guest-camera':
      return await getObject(env, 'CAMERAS', id).deleteAccountData(userId)
  }
}

async function deleteMedia(env: Env, homeId: string): Promise<void> {
  for (;;) {
    const { objects } = await env.MEDIA.list({ prefix: getHomePrefix(homeId) })
    if (objects.length === 0) return
    await env.MEDIA.delete(objects.map(({ key }) => key))
  }
}
