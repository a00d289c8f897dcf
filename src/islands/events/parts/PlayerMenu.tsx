import { useStore } from '@nanostores/react'
import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Link from 'lucide-react/icons/link'
import Repeat from 'lucide-react/icons/repeat'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { useId, useState } from 'react'
import { CLIP_FPS, type ClipPlayer, type PlayerState } from '../../../media/clip/clip-player.ts'
import { $eventUrl, formatFilteredEventHref } from '../../../stores/events/event-url.ts'
import { $feedbackSwitch } from '../../../stores/events/event-feedback.ts'
import { $viewport } from '../../../stores/shell/viewport.ts'

/**
 * Menu of less frequent actions: frame steps, loop, a switch for the feedback question, and a link to the current
 * moment.
 */
export function PlayerMenu({ player, state }: { player: ClipPlayer; state: PlayerState }) {
  const id = useId()
  const isAsked = useStore($feedbackSwitch)
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)

  async function copy(): Promise<void> {
    const { filter, open } = $eventUrl.get()
    if (!open) return
    const at = Math.round(player.getSnapshot().time * 10) / 10
    const link = new URL(formatFilteredEventHref(filter, { ...open, at }), location.href).href
    setCopied(
      await navigator.clipboard.writeText(link).then(
        () => 'yes' as const,
        () => 'no' as const,
      ),
    )
  }

  return (
    <>
      <button type="button" className="transport anchor-more" popoverTarget={id} aria-label="More" title="More">
        <Ellipsis size={20} aria-hidden />
      </button>
      <div
        id={id}
        popover="auto"
        className="filter-menu menu-more border-line bg-surface text-ink shadow-menu rounded-[18px] border p-2"
        onToggle={() => setCopied(null)}
      >
        <MenuItem Icon={ChevronLeft} hint="," onClick={() => player.step(-1, CLIP_FPS)}>
          Previous frame
        </MenuItem>
        <MenuItem Icon={ChevronRight} hint="." onClick={() => player.step(1, CLIP_FPS)}>
          Next frame
        </MenuItem>
        <MenuItem Icon={Repeat} hint="R" pressed={state.loop} onClick={() => player.toggleLoop()}>
          Repeat
        </MenuItem>
        <MenuItem Icon={ThumbsUp} pressed={isAsked} onClick={() => $feedbackSwitch.set(!isAsked)}>
          Rate event labels
        </MenuItem>
        <MenuItem Icon={Link} onClick={() => void copy()}>
          <span aria-live="polite">
            {copied === 'yes' ? 'Copied' : copied === 'no' ? 'Couldn’t copy. Try again.' : 'Copy link to this moment'}
          </span>
        </MenuItem>
      </div>
    </>
  )
}

interface MenuItemProps {
  readonly Icon: LucideIcon
  readonly hint?: string
  readonly pressed?: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function MenuItem({ Icon, hint, pressed, onClick, children }: MenuItemProps) {
  const { isMobile } = useStore($viewport)
  return (
    <button
      type="button"
      aria-pressed={pressed}
      className={`hover:bg-sunken flex h-11 w-full min-w-56 items-center gap-3 rounded-[10px] px-2.5 text-left font-bold ${pressed ? 'text-primary-ink' : ''}`}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
      {children}
      {pressed && <Check size={18} className="ml-auto" aria-hidden />}
      {hint && !isMobile && (
        <kbd aria-hidden className={`text-micro text-ink-3 ${pressed ? '' : 'ml-auto'}`}>
          {hint}
        </kbd>
      )}
    </button>
  )
}
