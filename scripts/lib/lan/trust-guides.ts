import { AUTHORITY_NAME } from './certificate-authority.ts'

/** Steps that add the hub's certificate on one system. Names in `**` are menu entries, word for word. */
export interface TrustGuide {
  readonly id: 'ios' | 'android' | 'mac' | 'windows' | 'linux' | 'firefox'
  readonly name: string
  readonly summary: string
  readonly steps: readonly { readonly title: string; readonly text: string }[]
}

/** File name of the downloaded certificate. */
export const CERTIFICATE_FILE = 'porchlight-hub.crt'

export const TRUST_GUIDES: readonly TrustGuide[] = [
  {
    id: 'ios',
    name: 'iPhone and iPad',
    summary: 'About 2 minutes',
    steps: [
      {
        title: 'Allow the download',
        text: 'Safari asks about a configuration profile. Tap **Allow**.',
      },
      {
        title: 'Install the profile',
        text: `**Settings** › **General** › **VPN & Device Management**. Tap ${AUTHORITY_NAME}, then **Install**.`,
      },
      {
        title: 'Turn on full trust',
        text: `**Settings** › **General** › **About** › **Certificate Trust Settings**. Turn on ${AUTHORITY_NAME}.`,
      },
    ],
  },
  {
    id: 'android',
    name: 'Android',
    summary: 'Settings, then CA certificate',
    steps: [
      { title: 'Download the certificate', text: `The file is ${CERTIFICATE_FILE} in your downloads.` },
      {
        title: 'Install the certificate',
        text: 'Open **Settings** and search for **CA certificate**. Tap it, then **Install anyway**, and choose the file.',
      },
      {
        title: 'In Firefox only',
        text: '**Settings** › **About Firefox**: tap the logo five times. Then **Settings** › **Secret Settings** › **Use third party CA certificates**.',
      },
    ],
  },
  {
    id: 'mac',
    name: 'Mac',
    summary: 'Keychain Access',
    steps: [
      {
        title: 'Open the downloaded file',
        text: 'Keychain Access opens. Add the certificate to the **login** keychain.',
      },
      {
        title: 'Trust the certificate',
        text: `Double-click ${AUTHORITY_NAME} and open **Trust**. Set **When using this certificate** to **Always Trust**.`,
      },
    ],
  },
  {
    id: 'windows',
    name: 'Windows',
    summary: 'Trusted Root Certification Authorities',
    steps: [
      { title: 'Open the downloaded file', text: 'Select **Install Certificate…**, then **Current User**.' },
      {
        title: 'Choose the store',
        text: '**Place all certificates in the following store** › **Browse…** › **Trusted Root Certification Authorities**.',
      },
      { title: 'Confirm', text: 'Select **Finish**. Windows shows the name of the certificate. Select **Yes**.' },
    ],
  },
  {
    id: 'linux',
    name: 'Linux',
    summary: 'System store and Chrome',
    steps: [
      {
        title: 'Add to the system store',
        text: `sudo cp ${CERTIFICATE_FILE} /usr/local/share/ca-certificates/ && sudo update-ca-certificates`,
      },
      {
        title: 'Add to Chrome',
        text: 'Open chrome://certificate-manager and select **Custom** › **Installed by you**. Import the file under **Trusted Certificates**.',
      },
    ],
  },
  {
    id: 'firefox',
    name: 'Firefox on a computer',
    summary: 'Certificates, then Authorities',
    steps: [
      {
        title: 'Open the list of certificates',
        text: '**Settings** › **Privacy & Security** › **View Certificates…** › **Authorities** › **Import…**',
      },
      {
        title: 'Choose the downloaded file',
        text: 'Check **Trust this CA to identify websites**, then select **OK**.',
      },
    ],
  },
]

/** Returns the guide for the system of a `User-Agent` header; null if the system is unknown. */
export function findTrustGuide(userAgent: string): TrustGuide | null {
  const id = findGuideId(userAgent)
  return TRUST_GUIDES.find((guide) => guide.id === id) ?? null
}

function findGuideId(userAgent: string): TrustGuide['id'] | null {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  if (/Android/.test(userAgent)) return 'android'
  if (/Firefox\//.test(userAgent)) return 'firefox'
  if (/Macintosh/.test(userAgent)) return 'mac'
  if (/Windows/.test(userAgent)) return 'windows'
  return /Linux|X11/.test(userAgent) ? 'linux' : null
}
