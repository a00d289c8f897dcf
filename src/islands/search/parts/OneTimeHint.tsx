import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'

/** One-time hint beside the element that it explains. The page stays usable while the hint is shown. */
export function OneTimeHint({
  className,
  onClose,
  children,
}: {
  className: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <div className={`search-hint ${className}`}>
      <span role="status">{children}</span>
      <button type="button" className="search-hint-close" aria-label="Close hint" onClick={onClose}>
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}
