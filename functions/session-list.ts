import { DurableObject } from 'cloudflare:workers'
import type { SignOutDetails } from '../contract/auth/sign-out-details.ts'
import { createRandomText } from './lib/byte-encoding.ts'
import { readSettings, type Bindings } from './lib/settings.ts'
import type { SessionTimes } from './lib/auth/session-record.ts'

/** Entry of a session in the account's list. The session's own object stores its last use and its end. */
interface SessionEntry {
  /** Id of the session's Durable Object. It cannot be used to sign in. */
  readonly object: string
  /** Name of the browser when the session was added to the list. */
  readonly device: string
}

export interface ListedSession extends SessionTimes {
  readonly id: string
  readonly device: string
}

/** Session that requests the end of itself or of other sessions: its public id, browser and network. */
type EndRequester = Pick<SignOutDetails, 'device' | 'address'> & { readonly id: string }
const NO_REQUESTER: EndRequester = { id: '', device: '', address: '' }
const toClientInfo = ({ device, address }: EndRequester) => ({ device, address })

/** Maximum characters of the list of browser names in one entry of the activity log. */
const DEVICE_NAMES_MAX = 300
const formatDevices = (devices: readonly string[]) => devices.join(', ').slice(0, DEVICE_NAMES_MAX)

const KEY_PREFIX = 'session:'
/** Maximum number of sessions per account. A further sign-in ends the least recently used session. */
const SESSIONS_MAX = 50

/** List of the sessions of one account. The name of the Durable Object is the user id. */
export class SessionList extends DurableObject<Bindings> {
  /** Stores a session under its public `id`. Idempotent. */
  async add(id: string, entry: SessionEntry): Promise<void> {
    const { kv } = this.ctx.storage
    if (kv.get(KEY_PREFIX + id)) return
    if (this.#readEntries().length >= SESSIONS_MAX) await this.#endLeastRecentlyUsed()
    kv.put<SessionEntry>(KEY_PREFIX + id, entry)
    if ((await this.ctx.storage.getAlarm()) === null) await this.#scheduleCleanup()
  }

  /** Returns the live sessions, newest first, and deletes ended ones from the list. */
  async list(): Promise<ListedSession[]> {
    const lookups = this.#readEntries().map(async ([id, { object, device }]) => {
      const times = await this.#getSessionStub(object).getTimes()
      if (!times) this.ctx.storage.kv.delete(KEY_PREFIX + id)
      return times ? [{ id, device, ...times }] : []
    })
    return (await Promise.all(lookups)).flat().sort((session, other) => other.startedAt - session.startedAt)
  }

  /**
   * Ends one session on behalf of `requester`, like a sign-out in that session. Returns 1, or 0 if the session had
   * already ended.
   */
  async end(id: string, requester: EndRequester): Promise<number> {
    const entry = this.ctx.storage.kv.get<SessionEntry>(KEY_PREFIX + id)
    if (!entry) return 0
    const kind = requester.id === id ? 'sign-out' : 'session-ended'
    return await this.#end(id, entry, { kind, ...toClientInfo(requester), ended: entry.device })
  }

  /**
   * Ends all sessions of the account except the session `requester`. Returns the number of live sessions that it ended.
   */
  async endOthers(requester: EndRequester): Promise<number> {
    // Removes ended sessions first, so that the log does not list them.
    await this.list()
    const others = this.#readEntries().filter(([id]) => id !== requester.id)
    const devices = [...new Set(others.map(([, { device }]) => device))].sort()
    const note = {
      kind: 'sessions-ended',
      ...toClientInfo(requester),
      ended: formatDevices(devices),
      mark: createRandomText(12),
    } as const
    const ended = await Promise.all(others.map(([id, entry]) => this.#end(id, entry, note)))
    return ended.reduce((sum, count) => sum + count, 0)
  }

  /**
   * Deletes ended sessions from the list. Runs once per absolute session lifetime, so that a browser name is deleted at
   * most one lifetime after its session has ended.
   */
  async alarm(): Promise<void> {
    if ((await this.list()).length > 0) await this.#scheduleCleanup()
    else await this.ctx.storage.deleteAll()
  }

  async #end(id: string, { object }: SessionEntry, note: SignOutDetails): Promise<number> {
    const end = await this.#getSessionStub(object).end(note)
    this.ctx.storage.kv.delete(KEY_PREFIX + id)
    return end === null ? 0 : 1
  }

  async #endLeastRecentlyUsed(): Promise<void> {
    const liveSessions = (await this.list()).sort((session, other) => other.usedAt - session.usedAt)
    for (const { id } of liveSessions.slice(SESSIONS_MAX - 1)) await this.end(id, NO_REQUESTER)
  }

  async #scheduleCleanup(): Promise<void> {
    const result = readSettings(this.env)
    if (result.ok) await this.ctx.storage.setAlarm(Date.now() + result.settings.sessionLifeMs)
  }

  #readEntries(): [string, SessionEntry][] {
    const stored = [...this.ctx.storage.kv.list<SessionEntry>({ prefix: KEY_PREFIX })]
    return stored.map(([key, entry]) => [key.slice(KEY_PREFIX.length), entry])
  }

  #getSessionStub(object: string) {
    const { SESSIONS } = this.env
    return SESSIONS.get(SESSIONS.idFromString(object))
  }
}
