import type { ActivityKind } from '../../../contract/account/activity.ts'

/** Event to record in an activity log. Its fields never contain credentials. */
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
   * Grouping key: events of the same kind and hour with the same key share one entry, which counts them. Omitted: the
   * event gets its own entry.
   */
  readonly same?: string
  /**
   * True if the first event of the group already included the counts of this event. Only the time of the entry is then
   * updated.
   */
  readonly isCounted?: boolean
  /**
   * Id of the clip or export to which the event belongs. An event with the same part as the previous event of its group
   * is not counted again, for example a further range request for the same clip.
   */
  readonly part?: string
}

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
  /** Id of an entry: only older entries are returned. null: the page starts with the newest entry. */
  readonly before: string | null
  readonly limit: number
}
