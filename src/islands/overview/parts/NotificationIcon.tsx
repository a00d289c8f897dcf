import CalendarClock from 'lucide-react/icons/calendar-clock'
import CircleX from 'lucide-react/icons/circle-x'
import Clock from 'lucide-react/icons/clock'
import CreditCard from 'lucide-react/icons/credit-card'
import KeyRound from 'lucide-react/icons/key-round'
import LogIn from 'lucide-react/icons/log-in'
import ReceiptText from 'lucide-react/icons/receipt-text'
import Share2 from 'lucide-react/icons/share-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import UserX from 'lucide-react/icons/user-x'
import type { NotificationKind } from '../../../../contract/account/notifications.ts'

const ICONS_BY_KIND: Readonly<Record<NotificationKind, typeof Clock>> = {
  trial_ends: Clock,
  renewal_ahead: CalendarClock,
  card_ends: CreditCard,
  charge_failed: TriangleAlert,
  plan_ended: CircleX,
  refund_failed: CircleX,
  bill: ReceiptText,
  shared_camera: Share2,
  camera_invitation: Share2,
  new_sign_in: LogIn,
  password_forgotten: KeyRound,
  confirm_sign_up: LogIn,
  account_exists: LogIn,
  account_leaves: UserX,
}
/** Notification kinds with a warning tone: they require action before a date, or someone else may have caused them. */
const WARNING_KINDS: readonly NotificationKind[] = [
  'card_ends',
  'charge_failed',
  'new_sign_in',
  'password_forgotten',
  'account_leaves',
]

export function NotificationIcon({ kind }: { kind: NotificationKind }) {
  const Icon = ICONS_BY_KIND[kind]
  return (
    <span className="row-icon" data-tone={WARNING_KINDS.includes(kind) ? 'warning' : undefined}>
      <Icon size={18} aria-hidden="true" />
    </span>
  )
}
