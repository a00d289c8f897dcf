import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

interface SheetProps {
  title: string
  note?: ReactNode
  onClose: () => void
  children: ReactNode
  /** Its buttons, which stay at its foot while the rest scrolls. */
  foot?: ReactNode
}

/** A dialog with a foot, on a phone a sheet from below. */
export function Sheet({ foot, children, ...dialog }: SheetProps) {
  return (
    <Dialog {...dialog}>
      <div className="sheet-body">{children}</div>
      {foot && <footer className="sheet-foot">{foot}</footer>}
    </Dialog>
  )
}
