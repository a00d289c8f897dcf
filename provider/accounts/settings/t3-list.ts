import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { readSetting, writeSetting } from '../stored-settings/setting-rows.ts'

export const T3_LIST = 'T3List'

/** Returns true if the account is on the waiting list for the plan of tier T3. */
export const isOnT3List = async (db: D1Database, userId: string): Promise<boolean> =>
  (await readSetting(db, userId, T3_LIST, v.boolean())) ?? false

export const setOnT3List = (db: D1Database, userId: string, joined: boolean): Promise<void> =>
  writeSetting(db, userId, T3_LIST, joined)
