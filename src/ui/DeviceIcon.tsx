import Laptop from 'lucide-react/icons/laptop'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'

export function DeviceIcon({ device }: { device: string }) {
  const iconProps = { size: 18, 'aria-hidden': true } as const
  if (/iPhone|iPad|Android/.test(device)) return <Smartphone {...iconProps} />
  return /Windows/.test(device) ? <Monitor {...iconProps} /> : <Laptop {...iconProps} />
}
