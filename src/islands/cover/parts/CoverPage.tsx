import { useStore } from '@nanostores/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, type ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { planFeaturesSentence } from '../../../domain/copy/licenses.ts'
import {
  $licenseManager,
  $managedPlanId,
  type LicenseManagerState,
  loadLicenseManager,
  openLicenseManager,
} from '../../../stores/billing/license-manager.ts'
import { loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { LicenseManager } from './LicenseManager.tsx'

export function CoverPage() {
  // Hydrates with the initial value of the store, so that the first render matches the prerendered document.
  const isOpen = useStore($managedPlanId, { ssr: 'initial' }) !== undefined
  useEffect(() => {
    void loadCatalog()
    return openLicenseManager(location.search)
  }, [])
  return isOpen ? <OpenedCoverPage /> : <CoverPageLayout cover={{ state: 'loading' }} />
}

const OpenedCoverPage = () => <CoverPageLayout cover={useStore($licenseManager)} />

function CoverPageLayout({ cover }: { cover: LicenseManagerState }) {
  const plan = 'plan' in cover ? cover.plan : null
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <a href="/account/services">
          <ChevronLeft size={16} aria-hidden="true" className="crumb-back" />
          Services
        </a>
        <ChevronRight size={14} aria-hidden="true" />
        <span className="text-ink" aria-current="page">
          {plan ? getPlan(plan.sku).name : 'Assign licenses'}
        </span>
      </nav>
      <h1>Assign licenses</h1>
      {plan && <p className="text-ink-2">{planFeaturesSentence(plan)}</p>}
      <CoverPageContent cover={cover} />
    </>
  )
}

function CoverPageContent({ cover }: { cover: LicenseManagerState }) {
  if (cover.state === 'ready') return <LicenseManager cover={cover} />
  if (cover.state === 'loading')
    return (
      <section className="card cover-card cover-alone" aria-busy="true" aria-label="Cameras">
        <RowsSkeleton rows={3} label="Loading your cameras" />
      </section>
    )
  if (cover.state === 'failed')
    return (
      <section className="card cover-card cover-alone" aria-label="Cameras">
        <h2>We couldn’t load your cameras</h2>
        <LoadError
          text={`${cover.text} Nothing has changed on your account.`}
          onRetry={() => void loadLicenseManager()}
        />
      </section>
    )
  if (cover.state === 'none')
    return (
      <NothingToCover title="You don’t have a per-camera plan">
        Licenses come with per-camera plans. Cameras shared with you are covered by their owner’s plan.
      </NothingToCover>
    )
  const { name } = getPlan(cover.plan.sku)
  if (cover.state === 'over')
    return cover.plan.paused_until === null ? (
      <NothingToCover title={`${name} has ended`}>To cover cameras again, choose a plan.</NothingToCover>
    ) : (
      <NothingToCover title={`${name} is paused`}>Your cameras will keep their licenses.</NothingToCover>
    )
  return (
    <NothingToCover title={`${name} covers every camera`}>
      Cameras you add later are covered too. You don’t need to assign licenses.
    </NothingToCover>
  )
}

function NothingToCover({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card cover-card cover-alone">
      <h2>{title}</h2>
      <p className="text-ink-2">{children}</p>
      <a className="btn btn-primary" href="/account/services">
        Back to services
      </a>
    </section>
  )
}
