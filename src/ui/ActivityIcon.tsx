import Cctv from 'lucide-react/icons/cctv'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import KeyRound from 'lucide-react/icons/key-round'
import LogIn from 'lucide-react/icons/log-in'
import LogOut from 'lucide-react/icons/log-out'
import Router from 'lucide-react/icons/router'
import Settings from 'lucide-react/icons/settings'
import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldOff from 'lucide-react/icons/shield-off'
import Trash2 from 'lucide-react/icons/trash-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Users from 'lucide-react/icons/users'
import { findActivityGroup } from '../domain/copy/activity-entries.ts'

type Icon = typeof Cctv

/**
 * Activity kinds that have their own icon. Other kinds use the icon of their group, or a camera icon if they have no
 * group.
 */
const ICON_BY_KIND: Readonly<Record<string, Icon>> = {
  'sign-in-refused': TriangleAlert,
  'sign-in-limited': TriangleAlert,
  'refresh-reuse': TriangleAlert,
  'sign-out': LogOut,
  'session-ended': LogOut,
  'sessions-ended': LogOut,
  'password-changed': KeyRound,
  'second-factor-on': ShieldCheck,
  'second-factor-off': ShieldOff,
  'recovery-codes': KeyRound,
  'passkey-added': KeyRound,
  'passkey-removed': KeyRound,
  shared: Users,
  unshared: Users,
  'camera-removed': Trash2,
  'events-deleted': Trash2,
  'account-leaves': Trash2,
  'account-removed': Trash2,
  'bridge-added': Router,
  'bridge-renamed': Router,
  'bridge-removed': Router,
}
const ICON_BY_GROUP = { 'sign-ins': LogIn, guests: Eye, changes: Settings, exports: Download } as const

export function ActivityIcon({ kind }: { kind: string }) {
  const group = findActivityGroup(kind)
  const Icon = ICON_BY_KIND[kind] ?? (group ? ICON_BY_GROUP[group] : Cctv)
  return <Icon size={18} aria-hidden="true" />
}

/**
 * Returns the tone of an activity entry: `warning` for rejected or limited sign-ins and for token reuse, `primary` for
 * exports, otherwise undefined.
 */
export function getActivityTone(kind: string): 'warning' | 'primary' | undefined {
  if (ICON_BY_KIND[kind] === TriangleAlert) return 'warning'
  return findActivityGroup(kind) === 'exports' ? 'primary' : undefined
}
