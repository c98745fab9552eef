// The OAuth consent page, and the pages that sign in a device by its code.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { clientAddress } from '../api/clientAddress.ts';
import { audit } from '../auth/auditLog.ts';
import { approveDevice, type DeviceRequest, denyDevice, findDevice } from '../auth/deviceCodes.ts';
import { allSucceeded, beginAll, type Counted, createThrottle } from '../auth/loginThrottle.ts';
import { cliClientId, grantedScope, oauthLifetimes, oauthPaths, oauthScopes } from '../auth/oauthProvider.ts';
import { endSession } from '../auth/webSessions.ts';
import type { ServiceContext } from '../context.ts';
import { type Html, html } from './html.ts';
import { tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, type PageContext, sendError, sendPage } from './pageRequests.ts';
import { inputField, type Problem, problemList, titleOf, waitText } from './signInPages.ts';

export function mountConsentPages(app: Hono, context: ServiceContext, provider: Provider): void {
  const path = `${oauthPaths.consent}/:uid`;
  app.get(
    path,
    forAccount(context, (pageContext) => askForConsent(provider, pageContext)),
  );
  app.post(
    path,
    limitForm,
    forAccountForm(context, (pageContext, fields) => decide(context, provider, pageContext, fields.answer)),
  );

  const perAccount = createThrottle(context, {
    name: 'device codes of an account',
    free: 10,
    firstWait: 2,
    maxWait: 900,
  });
  const perAddress = createThrottle(context, {
    name: 'device codes from an address',
    free: 30,
    firstWait: 2,
    maxWait: 900,
  });
  app.get(
    oauthPaths.device,
    forAccount(context, async (pageContext) => deviceCodePage(pageContext, pageContext.c.req.query('user_code') ?? '')),
  );
  app.post(
    oauthPaths.device,
    limitForm,
    forAccountForm(context, async (pageContext, { user_code: code = '', answer }) => {
      // Limited by account and by address, so that neither many accounts nor many addresses speed up guessing.
      const address = clientAddress(pageContext.c, context.settings);
      const counted: Counted[] = [
        [perAddress, address],
        [perAccount, pageContext.account.id],
      ];
      const wait = await beginAll(counted);
      if (wait > 0) {
        pageContext.c.header('Retry-After', String(wait));
        return deviceCodePage(pageContext, code, `Too many attempts. Try again in ${waitText(wait)}`, 429);
      }
      const device = await findDevice(context, code);
      if (device === undefined) return deviceCodePage(pageContext, code, 'The code is wrong or has expired', 422);
      await allSucceeded(counted);
      return answer === undefined
        ? confirmDevicePage(pageContext, device)
        : decideDevice(context, provider, pageContext, device, answer);
    }),
  );
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Returns undefined if it has expired, is finished, or was started in another browser. */
async function interactionOf(provider: Provider, c: Context): Promise<Interaction | undefined> {
  const { incoming, outgoing } = c.env as HttpBindings;
  try {
    const interaction = await provider.interactionDetails(incoming, outgoing as never);
    return interaction.uid === c.req.param('uid') ? interaction : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

const expired = {
  title: 'This sign-in has expired',
  text: 'It took too long, is already finished, or was started in another browser. Go back to the program and sign in again.',
};

async function askForConsent(provider: Provider, pageContext: PageContext): Promise<Response> {
  const interaction = await interactionOf(provider, pageContext.c);
  if (interaction === undefined) return sendError(pageContext.c, 400, expired);
  const client = await provider.Client.find(String(interaction.params.client_id));
  const redirect = new URL(String(interaction.params.redirect_uri));
  const content = html`<section class="card">
<h1>Allow the ${client?.clientName ?? 'program'} to use your account?</h1>
<p>A program on this computer (<code>${client?.clientId ?? ''}</code>) requests permission to:</p>
${permissionList(String(interaction.params.scope ?? ''))}
${accountNote(pageContext)}
<form method="post" action="${oauthPaths.consent}/${interaction.uid}">${tokenField(pageContext.formToken)}
<div class="choice"><button class="quiet" name="answer" value="deny">Deny</button><button name="answer" value="allow">Allow</button></div>
</form>
<p class="meta">Only allow this if you have just started to sign in yourself. You will be sent back to the program at <code>${redirect.host}</code>.</p>
</section>`;
  const frame = { title: `Allow the ${client?.clientName ?? 'program'} to use your account?`, content, small: true };
  return sendPage(pageContext.c, frame, 200, { forms: [redirect.origin] });
}

async function decide(
  context: ServiceContext,
  provider: Provider,
  pageContext: PageContext,
  answer: string | undefined,
): Promise<Response> {
  const { c, account } = pageContext;
  if (answer === 'switch') return switchAccount(context, c);
  const interaction = await interactionOf(provider, c);
  if (interaction === undefined) return sendError(c, 400, expired);
  const { incoming, outgoing } = c.env as HttpBindings;
  const finish = (result: Parameters<Provider['interactionResult']>[2]) =>
    provider.interactionResult(incoming, outgoing as never, result, { mergeWithLastSubmission: false });
  if (answer !== 'allow') {
    return c.redirect(await finish({ error: 'access_denied', error_description: 'The user denied access.' }), 303);
  }
  const grantId = await saveGrant(provider, {
    accountId: account.id,
    clientId: String(interaction.params.client_id),
    scope: grantedScope(interaction.params.scope),
  });
  await auditConsent(context, pageContext, 'Framework command line, in the browser');
  return c.redirect(await finish({ login: { accountId: account.id, remember: false }, consent: { grantId } }), 303);
}

async function auditConsent(context: ServiceContext, { c, account }: PageContext, detail: string): Promise<void> {
  const address = clientAddress(c, context.settings);
  await audit(context, { accountId: account.id, actor: 'user', address, action: 'consent_granted', detail });
}

async function saveGrant(
  provider: Provider,
  { accountId, clientId, scope }: { accountId: string; clientId: string; scope: string },
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  return grant.save();
}

/** After signing in with another account, the user returns to the same page. */
async function switchAccount(context: ServiceContext, c: Context): Promise<Response> {
  await endSession(context, c);
  const { pathname } = new URL(c.req.url);
  return c.redirect(`/sign-in?next=${encodeURIComponent(pathname)}`, 303) as Response;
}

function deviceCodePage(
  pageContext: PageContext,
  code: string,
  problem?: string,
  status: 200 | 422 | 429 = 200,
): Response {
  const problems: Problem[] = problem === undefined ? [] : [{ field: 'user_code', text: problem }];
  const content = html`<section class="card">
<h1>Sign in on a device</h1>
<p class="muted">Enter the code that is shown by the program on your other device.</p>
${problemList(problems)}
<form method="post" action="${oauthPaths.device}">${tokenField(pageContext.formToken)}
${inputField({ name: 'user_code', label: 'Code', value: code.slice(0, 40), attributes: 'class="usercode" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" placeholder="XXXX-XXXX"' }, problems)}
<button>Continue</button></form></section>`;
  return sendPage(pageContext.c, { title: titleOf('Sign in on a device', problems), content, small: true }, status);
}

function confirmDevicePage(pageContext: PageContext, device: DeviceRequest): Response {
  const content = html`<section class="card">
<h1>Is this the code on your device?</h1>
<p class="usercode shown">${device.userCode}</p>
<p>If it is, allow the Framework command line on that device to:</p>
${permissionList(device.scope)}
<p class="note"><strong>Did someone send you this code or a link?</strong> Then choose Deny. They could use your account otherwise.</p>
${accountNote(pageContext, false)}
<form method="post" action="${oauthPaths.device}">${tokenField(pageContext.formToken)}<input type="hidden" name="user_code" value="${device.userCode}">
<div class="choice"><button class="quiet" name="answer" value="deny">Deny</button><button name="answer" value="allow">Allow</button></div>
</form></section>`;
  return sendPage(pageContext.c, { title: 'Is this the code on your device?', content, small: true });
}

async function decideDevice(
  context: ServiceContext,
  provider: Provider,
  pageContext: PageContext,
  device: DeviceRequest,
  answer: string,
): Promise<Response> {
  const { c, account } = pageContext;
  if (answer !== 'allow') {
    await denyDevice(context, device);
    return donePage(c, 'Denied', 'The device was not signed in. You can close this page.');
  }
  const scope = grantedScope(device.scope);
  const grantId = await saveGrant(provider, { accountId: account.id, clientId: cliClientId, scope });
  if (!(await approveDevice(context, device, { accountId: account.id, grantId, scope }))) {
    return sendError(c, 409, expired);
  }
  await auditConsent(context, pageContext, 'Framework command line, on another device');
  return donePage(c, 'Your device is signed in', 'It will continue within a few seconds. You can close this page.');
}

function donePage(c: Context, title: string, text: string): Response {
  const content = html`<section class="card"><h1>${title}</h1><p>${text}</p><p><a href="/">Go to your renders</a></p></section>`;
  return sendPage(c, { title, content, small: true });
}

function permissionList(scope: string): Html {
  const granted = grantedScope(scope).split(' ');
  const texts = Object.entries(oauthScopes).filter(([name]) => granted.includes(name));
  const days = oauthLifetimes.refreshToken / 86_400;
  return html`<ul class="may">${texts.map(([, text]) => html`<li>${text}</li>`)}<li>View your e-mail address and remaining credits</li><li>Stay signed in until it signs out or is not used for ${days} days</li></ul>`;
}

function accountNote({ account, formToken }: PageContext, canSwitch = true): Html {
  return html`<p class="meta">Signed in as <strong>${account.email}</strong>.</p>${
    canSwitch &&
    html`<form method="post">${tokenField(formToken)}<p><button class="quiet slim" name="answer" value="switch">Use another account</button></p></form>`
  }`;
}
