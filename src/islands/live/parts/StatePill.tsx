import EyeOff from 'lucide-react/icons/eye-off'
import Images from 'lucide-react/icons/images'
import Moon from 'lucide-react/icons/moon'
import Pause from 'lucide-react/icons/pause'
import Power from 'lucide-react/icons/power'
import Sunrise from 'lucide-react/icons/sunrise'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import WifiOff from 'lucide-react/icons/wifi-off'

const STATE_ICONS: Record<string, typeof Moon> = {
  asleep: Moon,
  waking: Sunrise,
  offline: WifiOff,
  off: Power,
  'not playing': TriangleAlert,
  stalled: Pause,
  snapshots: Images,
}

export function StatePill({ word }: { word: string }) {
  const Icon = STATE_ICONS[word] ?? EyeOff
  return (
    <span className="pill live-state" data-word={word}>
      <Icon size={14} aria-hidden="true" />
      {word.charAt(0).toUpperCase() + word.slice(1)}
    </span>
  )
}
