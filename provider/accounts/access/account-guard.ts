import type { DurableObjectState } from '@cloudflare/workers-types'
import { maySignIn } from '../account-rows.ts'
import type { Env } from '../../env.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { AccessCache, type OpenChanges } from '../../platform/auth/access-cache.ts'
import { readAccessToken, type AccessTokenRow } from '../../platform/auth/access-token-rows.ts'
import { Guard } from '../../platform/rate-limits/guard.ts'
import { loadAccountAccess } from './account-access-rows.ts'

export interface NonceUse {
  readonly nonce: string
  /** Time in the nonce, ms UTC. */
  readonly at: number
}

export interface VerifiedToken {
  readonly token: AccessTokenRow
  /** False if the nonce was used before. */
  readonly isFresh: boolean
  /** Access of the account; null if the call does not need it. */
  readonly access: AccountAccess | null
}

/** Key of the open changes of rights in the object's storage. */
const CHANGES_KEY = 'changes'

/**
 * `Guard` object that also verifies the calls of an account with one request and without reading D1
 * (docs/decisions/0107). Only objects that are named by an account use the cache.
 */
export class AccountGuard extends Guard {
  readonly #cache: AccessCache

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { kv } = ctx.storage
    const storage = {
      load: () => new Map(kv.get<[string, number][]>(CHANGES_KEY)),
      save: (changes: OpenChanges) => {
        if (changes.size > 0) kv.put(CHANGES_KEY, [...changes])
        else kv.delete(CHANGES_KEY)
      },
    }
    this.#cache = new AccessCache(storage, () => Date.now())
  }

  /**
   * Verifies an access token by its hash and then consumes the nonce. Returns null, and leaves the nonce unused, if the
   * token is unknown, revoked or expired at `now` (ms UTC). `accessUserId`: id of the account, or null to leave out its
   * access.
   */
  async verifyCall(
    tokenHash: string,
    nonceUse: NonceUse | null,
    accessUserId: string | null,
    now: number,
  ): Promise<VerifiedToken | null> {
    const [token, access] = await Promise.all([
      this.#cache.read(`token ${tokenHash}`, () => readAccessToken(this.env.DB, tokenHash, now)),
      accessUserId === null ? null : this.readAccess(accessUserId),
    ])
    if (token === null || token.expiresAt * 1000 <= now || !maySignIn(token, this.env)) return null
    const isFresh = nonceUse === null || (await this.consumeNonce(nonceUse.nonce, nonceUse.at, now))
    return { token, isFresh, access }
  }

  /** Returns the homes, cameras and plans of the account by which this object is named. */
  async readAccess(userId: string): Promise<AccountAccess> {
    return await this.#cache.read('access', () => loadAccountAccess(this.env.DB, userId))
  }

  /**
   * Empties the cache and bypasses it until the change ends, also after a restart of the object. Call this before a
   * write to D1 that changes rights.
   */
  startChange(id: string): void {
    this.#cache.startChange(id)
  }

  /** Ends a change. Call this after the write, and before its response. */
  endChange(id: string): void {
    this.#cache.endChange(id)
  }

  /** Keeps open changes in the storage. */
  protected override canDeleteStorage(): boolean {
    return !this.#cache.hasOpenChanges()
  }
}
