/**
 * What becomes of everything that is stored once an account goes: of every table of D1, every class of Durable Objects with its
 * tables, and every prefix of R2. `tests/provider/leave-account-rules.test.ts` finds what is stored and has no rule here.
 */

/** What statements of D1 are filled with: the account, and as JSON what nobody else has any part in. */
export interface DeletionScope {
  readonly user: string
  readonly email: string
  readonly homes: string
  readonly cameras: string
  readonly bridges: string
  /** What the account's visits are kept under. */
  readonly persons: string
}
type Name = keyof DeletionScope

/** Statements with `$name` for a value, or why the table is left as it is. */
type TableRule = { readonly goes: readonly string[] } | { readonly stays: string }

const inJson = (name: Name) => `IN (SELECT value FROM json_each($${name}))`
const goes = (...statements: string[]) => ({ goes: statements })

/**
 * Tables of D1 in the order in which their rows go, those that point at others first; all at once. The row of `accounts` goes by
 * itself, last of all: as long as it is there, a removal that was cut short begins again.
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
  // Others were told by address who shares a camera with them.
  messages: goes(
    'DELETE FROM messages WHERE user_id = $user',
    "DELETE FROM messages WHERE kind = 'shared_camera' AND json_extract(facts, '$.owner') = $email",
  ),
  mail_stops: goes('DELETE FROM mail_stops WHERE user_id = $user'),
  password_links: goes('DELETE FROM password_links WHERE user_id = $user'),
  // Its codes say whom they are for by address. A list that is empty is for nobody, none (null) would be for everybody.
  coupons:
    goes(`UPDATE coupons SET emails = (SELECT json_group_array(value) FROM json_each(emails) WHERE value <> $email)
    WHERE emails IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(emails) WHERE value = $email)`),
  // What was used stays counted, by nobody: else a code for a hundred would be one for more.
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
  // What stays says that the bridge was removed: its key, which is still on somebody's computer, enrols it in no other home.
  bridges: goes(
    `UPDATE bridges SET key_hash = '', name = '', revoked_at = coalesce(revoked_at, created_at), revoked_home = NULL
     WHERE bridge_id ${inJson('bridges')}`,
  ),
  home_members: goes(`DELETE FROM home_members WHERE user_id = $user OR home_id ${inJson('homes')}`),
  homes: goes(`DELETE FROM homes WHERE home_id ${inJson('homes')}`),
  // Reports are masked when they are made; this is for what slipped through.
  error_reports: goes('DELETE FROM error_reports WHERE instr(report, $user) > 0 OR instr(report, $email) > 0'),
  error_days: { stays: 'it counts, and names nobody' },
  revenue_visits: goes(`DELETE FROM revenue_visits WHERE person ${inJson('persons')}`),
  collector_sessions: { stays: 'a day, and says of nobody whose it is' },
  accounts: { stays: 'until all else is gone, then it goes too' },
}

/** The statement and its values in the order of their question marks. */
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
 * What becomes of an object. `whole`: its storage is deleted. `rows`: what is the account's in the object of somebody else is.
 * `kept`: it stays under the random id of the account, and what names a person is taken out of it. `itself`: it ends in time.
 */
interface ObjectRule {
  readonly what: 'whole' | 'kept' | 'itself'
  /** Tables in which the account has rows beside those of others, which stay there; of `kept` those that go or lose names. */
  readonly rows: readonly string[]
  /** Tables that are touched in no object that stays. */
  readonly rest: readonly string[]
}

/** Runtime tables and those of `provider/platform/migrate-schema.ts` are left out: they hold nothing of anybody. */
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
 * Objects of the portal, which no account id finds from here. A session ends with its tokens, when it is used or its alarm comes,
 * `SESSION_IDLE_S` later at most; a list forgets sessions that have ended, `SESSION_LIFE_S` later at most.
 */
export const PORTAL_RULES: Readonly<Record<string, ObjectRule>> = {
  Session: { what: 'itself', rows: [], rest: [] },
  SessionList: { what: 'itself', rows: [], rest: [] },
}

/** Guards that are named by the account; those of places and browsers forget by themselves within a day. */
export const listGuardNames = (userId: string, email: string): readonly string[] => [
  userId,
  `passkey of ${userId}`,
  `leave at ${userId}`,
  `leave of ${userId}`,
  `coupon:${userId}`,
  `factor:${userId}`,
  `email:${email}`,
]

/** Prefixes of R2: `home` goes with the home, `nobody` is shared by demo homes. */
export const R2_RULES: Readonly<Record<string, 'home' | 'nobody'>> = { 'h/': 'home', 'demo/': 'nobody' }
