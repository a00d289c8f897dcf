import * as v from 'valibot'
import type { SqlStorage } from '@cloudflare/workers-types'
import { CURRENCY } from '../../../contract/billing/amounts.ts'
import { JOURNALED_KINDS, RECORD_SCHEMAS, type RecordKind, type RecordOf } from './record-schemas.ts'

/** Posting to a ledger account, in cents: a debit is above 0, a credit below 0. */
export type LedgerPosting = readonly [account: string, cents: number]

/**
 * Counters and flags of a ledger. `clock`: offset of the test clock, ms; above 0 if it is ahead. `quiet`: 1 if no
 * notifications are sent. `held`: 1 from a restore until the ledger agrees with the payment gateway.
 */
type CounterName = 'opened' | 'invoices' | 'revision' | 'seq' | 'ended' | 'clock' | 'quiet' | 'held'

export interface LedgerStorage {
  readonly sql: SqlStorage
  transaction<T>(work: () => T): T
}

/**
 * Stores entries with their postings and the resulting records. A journaled record may only be changed together with an
 * entry, inside `transaction`.
 */
export class LedgerStore {
  readonly sql: SqlStorage
  readonly transaction: LedgerStorage['transaction']
  /** User id. */
  readonly account: string
  /** Currency in which the deployment sells now. */
  readonly #salesCurrency: string
  #ledgerCurrency: string | null = null

  constructor(storage: LedgerStorage, account: string, salesCurrency = CURRENCY) {
    this.sql = storage.sql
    this.transaction = (work) => storage.transaction(work)
    this.account = account
    this.#salesCurrency = salesCurrency
  }

  /**
   * Returns the ISO currency code of all amounts in this ledger: the currency of the first posting or, without
   * postings, of the deployment.
   */
  get currency(): string {
    const [first] = this.#ledgerCurrency
      ? []
      : this.sql.exec<{ currency: string }>('SELECT currency FROM postings LIMIT 1').toArray()
    this.#ledgerCurrency ??= first?.currency ?? null
    return this.#ledgerCurrency ?? this.#salesCurrency
  }

  /**
   * Returns true if the currency in which the deployment sells is not the currency of this ledger. Nothing may then be
   * priced or charged (OPEN-176).
   */
  hasOtherCurrency(): boolean {
    return this.currency !== this.#salesCurrency
  }

  /**
   * Adds an entry and returns its number. Throws unless the postings sum to 0. An entry that moves money invalidates
   * earlier quotes.
   */
  addEntry(kind: string, subject: string, at: number, postings: readonly LedgerPosting[] = []): number {
    const moved = postings.filter(([, cents]) => cents !== 0)
    if (moved.reduce((sum, [, cents]) => sum + cents, 0) !== 0) throw new Error(`The entry ${kind} doesn't sum to 0.`)
    const entry = this.incrementCounter('entries')
    this.sql.exec('INSERT INTO entries (entry_id, at, kind, subject) VALUES (?, ?, ?, ?)', entry, at, kind, subject)
    const { currency } = this
    for (const [account, cents] of moved)
      this.sql.exec(
        'INSERT INTO postings (entry_id, account, cents, currency) VALUES (?, ?, ?, ?)',
        entry,
        account,
        cents,
        currency,
      )
    if (moved.length > 0) this.incrementCounter('revision')
    return entry
  }

  /**
   * Stores a record as it is after the entry. `entry`: may be 0 if the kind is not journaled. `due`: time of the
   * record's next processing step, ms UTC; null: none.
   */
  put<K extends RecordKind>(entry: number, kind: K, id: string, record: RecordOf<K>, due: number | null = null): void {
    const body = JSON.stringify(record)
    this.sql.exec(
      `INSERT INTO records (kind, id, due, body) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET due = ?3, body = ?4`,
      kind,
      id,
      due,
      body,
    )
    this.#storeImage(entry, kind, id, body)
    if (kind === 'subscription') this.incrementCounter('revision')
  }

  deleteRecord(entry: number, kind: RecordKind, id: string): void {
    this.sql.exec('DELETE FROM records WHERE kind = ? AND id = ?', kind, id)
    this.#storeImage(entry, kind, id, null)
  }

  #storeImage(entry: number, kind: RecordKind, id: string, body: string | null): void {
    if (!JOURNALED_KINDS.includes(kind)) return
    this.sql.exec('INSERT INTO images (entry_id, kind, id, body) VALUES (?, ?, ?, ?)', entry, kind, id, body)
  }

  get<K extends RecordKind>(kind: K, id: string): RecordOf<K> | null {
    const [row] = this.sql
      .exec<{ body: string }>('SELECT body FROM records WHERE kind = ? AND id = ?', kind, id)
      .toArray()
    return row ? parseRecord(kind, row.body) : null
  }

  listRecords<K extends RecordKind>(kind: K): RecordOf<K>[] {
    const rows = this.sql.exec<{ body: string }>('SELECT body FROM records WHERE kind = ? ORDER BY id', kind).toArray()
    return rows.map(({ body }) => parseRecord(kind, body))
  }

  listIds(kind: RecordKind): string[] {
    return this.sql
      .exec<{ id: string }>('SELECT id FROM records WHERE kind = ?', kind)
      .toArray()
      .map(({ id }) => id)
  }

  /** Returns the records of a kind that are due at `now`, earliest first. */
  listDue<K extends RecordKind>(kind: K, now: number): { readonly record: RecordOf<K>; readonly due: number }[] {
    const rows = this.sql
      .exec<{ body: string; due: number }>(
        'SELECT body, due FROM records WHERE due <= ? AND kind = ? ORDER BY due, id',
        now,
        kind,
      )
      .toArray()
    return rows.map(({ body, due }) => ({ record: parseRecord(kind, body), due }))
  }

  listScheduled<K extends RecordKind>(kind: K): RecordOf<K>[] {
    const rows = this.sql
      .exec<{ body: string }>('SELECT body FROM records WHERE kind = ? AND due IS NOT NULL ORDER BY id', kind)
      .toArray()
    return rows.map(({ body }) => parseRecord(kind, body))
  }

  /**
   * Returns the earliest due time of all records, ms UTC; null if there is none. Ignores records of `kind` whose ids
   * are in `exceptIds`.
   */
  findNextDue(kind: RecordKind, exceptIds: readonly string[]): number | null {
    return this.sql
      .exec<{ due: number | null }>(
        `SELECT min(due) AS due FROM records
         WHERE due IS NOT NULL AND NOT (kind = ? AND id IN (SELECT value FROM json_each(?)))`,
        kind,
        JSON.stringify(exceptIds),
      )
      .one().due
  }

  /** Changes only the due time of a record. */
  postpone(kind: RecordKind, id: string, due: number): void {
    this.sql.exec('UPDATE records SET due = ? WHERE kind = ? AND id = ?', due, kind, id)
  }

  /** Returns the account's balance, cents. */
  getBalance(): number {
    return 0 - this.sumPostings('balance')
  }

  sumPostings(account: string): number {
    const { sum } = this.sql
      .exec<{ sum: number | null }>('SELECT sum(cents) AS sum FROM postings WHERE account = ?', account)
      .one()
    return sum ?? 0
  }

  getCounter(name: CounterName | 'entries'): number {
    const [row] = this.sql.exec<{ value: number }>('SELECT value FROM counters WHERE name = ?', name).toArray()
    return row?.value ?? 0
  }

  /** Returns true if the account is deleted. Its ledger then collects and starts nothing. */
  isEnded(): boolean {
    return this.getCounter('ended') > 0
  }

  /**
   * Returns true from a restore until `npm run reconcile` (restore-hold.ts). Until then, nothing is charged, refunded
   * or sent.
   */
  isHeld(): boolean {
    return this.getCounter('held') > 0
  }

  incrementCounter(name: CounterName | 'entries'): number {
    return this.setCounter(name, this.getCounter(name) + 1)
  }

  setCounter(name: CounterName | 'entries', value: number): number {
    this.sql.exec(
      'INSERT INTO counters (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2',
      name,
      value,
    )
    return value
  }

  /** Rebuilds the journaled records from the journal alone. Returns a map from `{kind} {id}` to record content. */
  replay(): Map<string, string> {
    const state = new Map<string, string>()
    const rows = this.sql
      .exec<{ kind: string; id: string; body: string | null }>('SELECT kind, id, body FROM images ORDER BY image_id')
      .toArray()
    for (const { kind, id, body } of rows)
      if (body === null) state.delete(`${kind} ${id}`)
      else state.set(`${kind} ${id}`, body)
    return state
  }

  /** Returns a map from `{kind} {id}` to the current content of journaled records. */
  readCurrentRecords(): Map<string, string> {
    const rows = this.sql
      .exec<{ kind: RecordKind; id: string; body: string }>('SELECT kind, id, body FROM records ORDER BY kind, id')
      .toArray()
    return new Map(
      rows.filter(({ kind }) => JOURNALED_KINDS.includes(kind)).map(({ kind, id, body }) => [`${kind} ${id}`, body]),
    )
  }
}

const parseRecord = <K extends RecordKind>(kind: K, body: string): RecordOf<K> =>
  v.parse(RECORD_SCHEMAS[kind], JSON.parse(body)) as RecordOf<K>
