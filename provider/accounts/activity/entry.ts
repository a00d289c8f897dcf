import type { ActivityKind } from '../../../contract/account/activity.ts'

/** Event as its caller records it. Texts are names that people chose, never credentials. */
export interface ActivityEvent {
  readonly kind: ActivityKind
  /** User id of the actor; null if unknown. */
  readonly who: string | null
  /** User id of the affected account, or an email address that has no account yet. */
  readonly whom?: string
  readonly camera?: string
  /** Detail of the event, as described in contract/account/activity.ts. */
  readonly value?: string
  /** 1 if omitted. */
  readonly count?: number
  readonly clips?: number
  readonly bytes?: number
  /**
   * Events of the same kind and hour with the same value share one entry, which counts them. Omitted: each event has
   * its own entry.
   */
  readonly same?: string
  /**
   * True if the first event of the group has already counted all events of the group. This event then only updates the
   * time.
   */
  readonly isCounted?: boolean
  /**
   * An event with the same part as the previous event is not counted. Example: a further range request for the same
   * clip.
   */
  readonly part?: string
}

/** Stored client info of a sign-in. */
export interface ClientInfo {
  readonly device: string
  readonly address: string
}

export interface ActivityLogEntry extends ClientInfo {
  readonly id: string
  /** First time (`at`) and last time (`until`) of the counted events, ms UTC. */
  readonly at: number
  readonly until: number
  readonly kind: string
  readonly who: string | null
  readonly whom: string | null
  readonly camera: string | null
  readonly value: string
  readonly count: number
  readonly clips: number
  readonly bytes: number
}

export interface ActivityQuery {
  /** Kinds of events to return; null: all kinds. */
  readonly kinds: readonly string[] | null
  /** Entry id: only older entries are returned; null: starts with the newest entry. */
  readonly before: string | null
  readonly limit: number
}
