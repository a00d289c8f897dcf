import { DurableObject } from 'cloudflare:workers'
import { randomText } from './lib/bytes.ts'
import { readSettings, type Bindings } from './lib/env.ts'
import { failureOf } from './lib/oidc.ts'
import { renewTokens } from './lib/renew.ts'
import { signOutAtProvider } from './lib/sign-out.ts'
import type { Identity, Tokens } from './lib/sign-in.ts'

/** All that a session keeps, as one record. */
interface Stored extends Identity {
  tokens: Tokens
  generation: number
  handle: string
  /** When it was last used, ms UTC, to a thirtieth of the time that it may be idle. */
  usedAt: number
}

/** What the edge needs to serve a request. `handle` is the `web_app_token` of the token generation (OPEN-19). */
export interface SessionView extends Identity {
  readonly accessToken: string
  readonly expiresAt: number
  readonly handle: string
}

export type RefreshResult = { kind: 'current'; view: SessionView } | { kind: 'ended' } | { kind: 'down' }

/** Tokens of a session that has ended here and may not have ended at the provider. */
interface Ending {
  tokens: Tokens
  /** Whether the single sign-on behind them ends too. */
  signOn: boolean
  tries: number
}

const KEY = 'session'
const ENDING = 'ending'
/** 5 s, then twice as long each time: over about a day. */
const END_RETRY_MS = 5000
const END_TRIES = 15
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
    if (Date.now() - stored.usedAt > this.#idleMs() / 30) {
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
    return withinTime<RefreshResult>(this.#renewal, { kind: 'down' })
  }

  /**
   * Ends the session: for the browser at once, at the provider as soon as it can be reached. Answers the address where a
   * foreign provider ends its own session, if it is known in time.
   */
  async end(): Promise<string | null> {
    const stored = this.#stored
    if (!stored) return null
    this.#beginEnding({ tokens: stored.tokens, signOn: true, tries: 0 })
    return withinTime(this.#endAtProvider(), null)
  }

  /**
   * Ends the session because its browser has signed in anew as `userId`; the provider is told by the alarm, so that nobody
   * waits. The same person's single sign-on is the one that the new session stands on.
   */
  async replace(userId: string): Promise<void> {
    const stored = this.#stored
    if (!stored) return
    this.#beginEnding({ tokens: stored.tokens, signOn: stored.userId !== userId, tries: 0 })
    await this.ctx.storage.setAlarm(Date.now())
  }

  async alarm(): Promise<void> {
    if (this.ctx.storage.kv.get(ENDING)) await this.#endAtProvider()
    else await this.#forget()
  }

  async #endAtProvider(): Promise<string | null> {
    const settings = readSettings(this.env)
    const ending = this.ctx.storage.kv.get<Ending>(ENDING)
    if (!ending || !settings.ok || ending.tries >= END_TRIES) {
      await this.#forget()
      return null
    }
    // The next try is arranged before this one, which may be cut short.
    this.ctx.storage.kv.put<Ending>(ENDING, { ...ending, tries: ending.tries + 1 })
    await this.ctx.storage.setAlarm(Date.now() + END_RETRY_MS * 2 ** ending.tries)
    try {
      const url = await signOutAtProvider(settings.settings, ending.tokens, ending.signOn, Date.now())
      await this.#forget()
      return url
    } catch (error) {
      console.error(`The provider did not confirm a sign-out: ${error instanceof Error ? error.message : 'unknown'}`)
      if (failureOf(error).kind === 'refused') await this.#forget()
      return null
    }
  }

  async #renew(): Promise<RefreshResult> {
    const settings = readSettings(this.env)
    // Read again: what storage holds is what survived a restart, whatever was answered before it.
    const stored = this.ctx.storage.kv.get<Stored>(KEY)
    if (!stored) return { kind: 'ended' }
    if (!settings.ok) return { kind: 'down' }
    try {
      const tokens = await renewTokens(settings.settings, stored.tokens, Date.now)
      if (!this.#stored) return { kind: 'ended' }
      if (!tokens) return this.#ended()
      const generation = stored.generation + 1
      this.#keep({ ...stored, tokens, generation, handle: newHandle(generation), usedAt: Date.now() })
      await this.#postpone()
      return { kind: 'current', view: view(this.#mustHave()) }
    } catch (error) {
      const failure = failureOf(error)
      return failure.kind === 'refused' && failure.error === 'invalid_grant' ? this.#ended() : { kind: 'down' }
    }
  }

  async #ended(): Promise<RefreshResult> {
    await this.#forget()
    return { kind: 'ended' }
  }

  #beginEnding(ending: Ending): void {
    this.#stored = undefined
    this.ctx.storage.kv.delete(KEY)
    this.ctx.storage.kv.put<Ending>(ENDING, ending)
  }

  #keep(stored: Stored): void {
    this.#stored = stored
    this.ctx.storage.kv.put(KEY, stored)
  }

  #postpone(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + this.#idleMs())
  }

  #idleMs(): number {
    const result = readSettings(this.env)
    // Without settings no request gets here; the session is then not to be lost.
    return result.ok ? result.settings.sessionIdleMs : Number.MAX_SAFE_INTEGER / 2
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

/** What the task comes to, or `late` when it takes longer than a caller may wait; the task itself goes on. */
async function withinTime<T>(task: Promise<T>, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<T>((resolve) => (timer = setTimeout(resolve, ANSWER_MS, late)))
  return Promise.race([task, limit]).finally(() => clearTimeout(timer))
}
