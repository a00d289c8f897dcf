import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { changeAccessInBatch, selectAccountsOfHome } from '../../platform/auth/change-access.ts'
import { homeStub } from './home-stub.ts'

export interface NewHome {
  homeId: string
  name: string
  ownerUserId: string
  /** True for a demo home, which bridges may fill with demo history. */
  demo: boolean
}

/** Creates a home with its owner. If the home exists, changes its name and adds the owner. */
export async function createHome(env: Env, home: NewHome, now: number): Promise<void> {
  await homeStub(env, home.homeId).putMember(home.ownerUserId, OWNER_ROLE)
  const statements = [
    env.DB.prepare(
      'INSERT INTO homes (home_id, name, demo, created_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET name = ?2',
    ).bind(home.homeId, home.name, home.demo ? 1 : 0, now),
    env.DB.prepare('INSERT OR IGNORE INTO home_members (home_id, user_id, role) VALUES (?, ?, ?)').bind(
      home.homeId,
      home.ownerUserId,
      OWNER_ROLE,
    ),
  ]
  await changeAccessInBatch(env, selectAccountsOfHome(env, home.homeId), statements)
}
