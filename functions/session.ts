import { DurableObject } from 'cloudflare:workers'
import * as oidc from 'openid-client'
import { randomText } from './lib/bytes.ts'
import { SESSION_IDLE_MS } from './lib/cookies.ts'
import { readSettings, type Bindings } from './lib/env.ts'
import { failureOf, provider } from './lib/oidc.ts'
import { toTokens, type Identity, type Tokens } from './lib/sign-in.ts'

/** All that a session keeps, as one record. */
interface Stored extends Identity {
  tokens: Tokens
  generation: number
  handle: string
  /** When it was last used, ms UTC, to the day. */
  usedAt: number
}

/** What the edge needs to serve a request. `handle` is the `web_app_token` of the token generation (OPEN-19). */
export interface SessionView extends Identity {
  readonly accessToken: string
  readonly expiresAt: number
  readonly handle: string
}

export type RefreshResult =
  { kind: 'current'; view: SessionView } | { kind: 'ended' } | { kind: 'down' } | { kind: 'slow' }

const KEY = 'session'
const DAY_MS = 86_400_000
/** The caller hears within 5 s, also when discovery and token call are slow one after the other. */
const ANSWER_MS = 4500

/** One signed-in browser: its tokens, and the only refresh that may be under way for them. */
export class Session extends DurableObject<Bindings> {
  #stored: Stored | undefined = this.ctx.storage.kv.get<Stored>(KEY)
  #renewal: Promise<RefreshResult> | undefined

  async begin(tokens: Tokens, identity: Identity): Promise<SessionView> {
    this.#keep({ ...identity, tokens, generation: 1, handle: newHandle(1), usedAt: Date.now() })
    await this.#postpone()
    return view(this.#mustHave())
  }

  /** The session, or null when it has ended. */
  async read(): Promise<SessionView | null> {
    const stored = this.#stored
    if (!stored) return null
    if (Date.now() - stored.usedAt > DAY_MS) {
      this.#keep({ ...stored, usedAt: Date.now() })
      await this.#postpone()
    }
    return view(stored)
  }

  /**
   * New tokens for a caller whose call failed with the generation of `handle`. If that is not the current one somebody
   * else has refreshed already, and the current one is the answer. Callers meanwhile share the one token call.
   */
  async refresh(handle: string): Promise<RefreshResult> {
    const stored = this.#stored
    if (!stored) return { kind: 'ended' }
    if (handle !== stored.handle) return { kind: 'current', view: view(stored) }
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined))
    return withinTime(this.#renewal)
  }

  /** Ends the session here and hands over its last tokens, so that the caller can end them at the provider. */
  async end(): Promise<Tokens | null> {
    const tokens = this.#stored?.tokens ?? null
    await this.#forget()
    return tokens
  }

  async alarm(): Promise<void> {
    await this.#forget()
  }

  async #renew(): Promise<RefreshResult> {
    const settings = readSettings(this.env)
    // Read again: what storage holds is what survived a restart, whatever was answered before it.
    const stored = this.ctx.storage.kv.get<Stored>(KEY)
    if (!stored) return { kind: 'ended' }
    if (!settings.ok) return { kind: 'down' }
    if (!stored.tokens.refresh) return this.#ended()
    try {
      const found = await provider(settings.settings)
      const answer = await oidc.refreshTokenGrant(found, stored.tokens.refresh)
      if (!this.#stored) return { kind: 'ended' }
      const fresh = toTokens(answer, Date.now())
      const { refresh = null, idToken = null } = stored.tokens
      const tokens = { ...fresh, refresh: fresh.refresh ?? refresh, idToken: fresh.idToken ?? idToken }
      const generation = stored.generation + 1
      this.#keep({ ...stored, tokens, generation, handle: newHandle(generation), usedAt: Date.now() })
      await this.#postpone()
      return { kind: 'current', view: view(this.#mustHave()) }
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'refused') return failure
      return failure.error === 'invalid_grant' ? this.#ended() : { kind: 'down' }
    }
  }

  async #ended(): Promise<RefreshResult> {
    await this.#forget()
    return { kind: 'ended' }
  }

  #keep(stored: Stored): void {
    this.#stored = stored
    this.ctx.storage.kv.put(KEY, stored)
  }

  #postpone(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + SESSION_IDLE_MS)
  }

  async #forget(): Promise<void> {
    this.#stored = undefined
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  #mustHave(): Stored {
    if (!this.#stored) throw new Error('The session has ended.')
    return this.#stored
  }
}

function view({ userId, email, tokens, handle }: Stored): SessionView {
  return { userId, email, accessToken: tokens.access, expiresAt: tokens.expiresAt, handle }
}

function newHandle(generation: number): string {
  return `${generation}.${randomText(12)}`
}

/** The renewal's result, or `slow` when it takes longer than a caller may wait; it goes on for the callers after. */
async function withinTime(renewal: Promise<RefreshResult>): Promise<RefreshResult> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<RefreshResult>((resolve) => (timer = setTimeout(resolve, ANSWER_MS, { kind: 'slow' })))
  return Promise.race([renewal, late]).finally(() => clearTimeout(timer))
}
