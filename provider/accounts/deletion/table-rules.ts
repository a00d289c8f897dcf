/**
 * Deletion rules for all stored data of an account: every table of D1, every class of Durable Objects with its tables,
 * and every prefix of R2. `tests/provider/accounts/deletion/table-rules.test.ts` finds stored data without a rule.
 */

/**
 * Parameters of the D1 statements: id and email of the account, and JSON lists of ids that belong to no other account.
 */
export interface DeletionScope {
  readonly user: string
  readonly email: string
  readonly homes: string
  readonly cameras: string
  readonly bridges: string
  /** JSON list of the keys of the account's visits. */
  readonly persons: string
}
type Name = keyof DeletionScope

/** Statements with `$name` parameters, or the reason why the table is left as it is. */
type TableRule = { readonly goes: readonly string[] } | { readonly stays: string }

const inJson = (name: Name) => `IN (SELECT value FROM json_each($${name}))`
const goes = (...statements: string[]) => ({ goes: statements })

/**
 * Tables of D1 in deletion order, referencing rows first, in one batch. The row of `accounts` is deleted separately and
 * last: while it exists, an interrupted deletion restarts.
 */
export const D1_RULES: Readonly<Record<string, TableRule>> = {
  bindings: goes(`DELETE FROM bindings WHERE device_id ${inJson('cameras')}
    OR subscription_id IN (SELECT subscription_id FROM subscriptions WHERE user_id = $user)`),
  subscriptions: goes('DELETE FROM subscriptions WHERE user_id = $user'),
  recovery_codes: goes('DELETE FROM recovery_codes WHERE user_id = $user'),
  second_factors: goes('DELETE FROM second_factors WHERE user_id = $user'),
  passkeys: goes('DELETE FROM passkeys WHERE user_id = $user'),
  oidc: goes(`DELETE FROM oidc WHERE account_id = $user
    OR (model = 'Interaction' AND json_extract(payload, '$.result.login.accountId') = $user)`),
  account_settings: goes('DELETE FROM account_settings WHERE user_id = $user'),
  search_accounts: goes('DELETE FROM search_accounts WHERE user_id = $user'),
  search_history: goes('DELETE FROM search_history WHERE user_id = $user'),
  search_feedback: goes('DELETE FROM search_feedback WHERE user_id = $user'),
  // Notifications to accounts with which this account shared a camera contain its email address.
  messages: goes(
    'DELETE FROM messages WHERE user_id = $user',
    "DELETE FROM messages WHERE kind = 'shared_camera' AND json_extract(facts, '$.owner') = $email",
  ),
  mail_stops: goes('DELETE FROM mail_stops WHERE user_id = $user'),
  password_links: goes('DELETE FROM password_links WHERE user_id = $user'),
  // Coupons name their accounts by email. An empty list is for no account; null would be for all.
  coupons:
    goes(`UPDATE coupons SET emails = (SELECT json_group_array(value) FROM json_each(emails) WHERE value <> $email)
    WHERE emails IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(emails) WHERE value = $email)`),
  // Used coupons stay counted, without the account's id: otherwise, a code for a hundred accounts would allow one more.
  coupon_holds: goes(
    "DELETE FROM coupon_holds WHERE user_id = $user AND state = 'held'",
    "UPDATE coupon_holds SET user_id = 'gone_' || lower(hex(randomblob(12))), intent = '' WHERE user_id = $user",
  ),
  stripe_sessions: goes('DELETE FROM stripe_sessions WHERE user_id = $user'),
  stripe_customers: {
    stays: 'under the random id, as the book does: what it still has to refund or to forget is found by it',
  },
  stripe_events: { stays: 'it names nobody' },
  shares: goes(`DELETE FROM shares WHERE user_id = $user OR home_id ${inJson('homes')}`),
  demo_shares: goes(`DELETE FROM demo_shares WHERE user_id = $user OR home_id ${inJson('homes')}`),
  invitations: goes(`DELETE FROM invitations WHERE email = $email OR home_id ${inJson('homes')}`),
  removed_devices: goes(`DELETE FROM removed_devices WHERE bridge_id ${inJson('bridges')}`),
  bridge_codes: goes(`DELETE FROM bridge_codes WHERE home_id ${inJson('homes')}`),
  devices: goes(`DELETE FROM devices WHERE home_id ${inJson('homes')}`),
  bridge_homes: goes(`DELETE FROM bridge_homes WHERE home_id ${inJson('homes')}`),
  // The row stays and marks the bridge as removed, so that the key on the bridge's computer cannot enroll it in another
  // home.
  bridges: goes(
    `UPDATE bridges SET key_hash = '', name = '', revoked_at = coalesce(revoked_at, created_at), revoked_home = NULL
     WHERE bridge_id ${inJson('bridges')}`,
  ),
  home_members: goes(`DELETE FROM home_members WHERE user_id = $user OR home_id ${inJson('homes')}`),
  homes: goes(`DELETE FROM homes WHERE home_id ${inJson('homes')}`),
  // Reports are masked when they are made; this deletes what masking missed.
  error_reports: goes('DELETE FROM error_reports WHERE instr(report, $user) > 0 OR instr(report, $email) > 0'),
  error_days: { stays: 'it counts, and names nobody' },
  revenue_visits: goes(`DELETE FROM revenue_visits WHERE person ${inJson('persons')}`),
  collector_sessions: { stays: 'a day, and says of nobody whose it is' },
  accounts: { stays: 'until all else is gone, then it goes too' },
}

/** Returns the statement with `?` in place of each `$name`, and the values in the same order. */
export function filled(
  sql: string,
  scope: DeletionScope,
): { readonly sql: string; readonly values: readonly string[] } {
  const values: string[] = []
  const text = sql.replace(/\$(user|email|homes|cameras|bridges|persons)\b/g, (_, name: Name) => {
    values.push(scope[name])
    return '?'
  })
  return { sql: text, values }
}

/**
 * Deletion rule of a class of Durable Objects. `whole`: the account's object is deleted, and in objects of other
 * accounts only the account's `rows`. `kept`: the object stays under the account's random id, without personal data.
 * `itself`: the object expires.
 */
interface ObjectRule {
  readonly what: 'whole' | 'kept' | 'itself'
  /**
   * Tables in objects of other accounts from which this account's rows are deleted; with `kept`, tables that lose rows
   * or names.
   */
  readonly rows: readonly string[]
  /** Tables that stay unchanged in every object that is not deleted. */
  readonly rest: readonly string[]
}

/**
 * Deletion rules by class. Tables of the runtime and of `provider/platform/migrate-schema.ts` are omitted, because they
 * hold no personal data.
 */
export const OBJECT_RULES: Readonly<Record<string, ObjectRule>> = {
  Home: {
    what: 'whole',
    rows: ['members', 'shares', 'followers', 'signed_out', 'feedback', 'feedback_videos', 'exports', 'search_votes'],
    rest: [
      ...['devices', 'events', 'used_tickets', 'camera_state_runs', 'camera_gaps', 'keeping', 'doomed_objects'],
      ...['granted_objects', 'granted_bytes', 'retention_log', 'self', 'search_index'],
      ...['recognition', 'people', 'people_faces'],
    ],
  },
  Camera: { what: 'whole', rows: ['signed_out'], rest: ['state', 'used_tickets'] },
  Bridge: { what: 'whole', rows: [], rest: ['cameras', 'self', 'watched'] },
  ActivityLog: { what: 'whole', rows: ['entries'], rest: [] },
  Guard: { what: 'whole', rows: [], rest: ['nonces', 'attempts'] },
  Ledger: { what: 'kept', rows: ['records', 'images'], rest: ['entries', 'postings', 'outbox', 'counters', 'self'] },
  EmbeddedGateway: { what: 'kept', rows: ['card_sessions', 'methods'], rest: ['charges', 'refunds'] },
  Mailer: { what: 'itself', rows: [], rest: [] },
  AccountLeave: { what: 'whole', rows: [], rest: ['self', 'things'] },
  Insights: { what: 'kept', rows: ['events'], rest: ['days'] },
}

/**
 * Durable Objects of the portal, which the provider cannot find by account id. A session ends with its tokens, on use
 * or by its alarm, at most `SESSION_IDLE_S` later; a list deletes ended sessions at most `SESSION_LIFE_S` later.
 */
export const PORTAL_RULES: Readonly<Record<string, ObjectRule>> = {
  Session: { what: 'itself', rows: [], rest: [] },
  SessionList: { what: 'itself', rows: [], rest: [] },
}

/**
 * Returns the names of the guards that contain the account's id or email. Guards of networks and browsers expire within
 * a day.
 */
export const listGuardNames = (userId: string, email: string): readonly string[] => [
  userId,
  `passkey of ${userId}`,
  `leave at ${userId}`,
  `leave of ${userId}`,
  `coupon:${userId}`,
  `factor:${userId}`,
  `email:${email}`,
]

/**
 * Owners of the R2 prefixes. Objects of a home are deleted with the home; demo objects stay, because all demo homes
 * share them.
 */
export const R2_RULES: Readonly<Record<string, 'home' | 'nobody'>> = { 'h/': 'home', 'demo/': 'nobody' }
