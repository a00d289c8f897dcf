import { tokenize } from '../platform/tokenize.ts'
import type { Env } from '../env.ts'

const HOME_VIEWERS_SQL = `SELECT user_id FROM home_members WHERE home_id = ?1 UNION SELECT user_id FROM shares WHERE home_id = ?1`

/** Query columns by table, for the tables that store searches. Both tables have the unique key (user_id, asked). */
const QUERY_COLUMNS = { search_history: 'query', search_feedback: 'asked' } as const

export async function deleteSearchesWithNames(env: Env, homeId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const phrases = names.map((name) => ` ${tokenize(name).join(' ')} `)
  for (const [table, column] of Object.entries(QUERY_COLUMNS)) {
    const { results } = await env.DB.prepare(
      `SELECT user_id, asked, ${column} AS query FROM ${table} WHERE user_id IN (${HOME_VIEWERS_SQL})`,
    )
      .bind(homeId)
      .all<{ user_id: string; asked: string; query: string }>()
    const matchingSearches = results.filter(({ query }) =>
      phrases.some((phrase) => ` ${tokenize(query).join(' ')} `.includes(phrase)),
    )
    await env.DB.prepare(
      `DELETE FROM ${table} WHERE (user_id, asked) IN
         (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`,
    )
      .bind(JSON.stringify(matchingSearches.map(({ user_id, asked: queryKey }) => [user_id, queryKey])))
      .run()
  }
}
