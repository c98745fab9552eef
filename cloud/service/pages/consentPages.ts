// The page on which somebody lets a program use their account, and the one for a program on another device.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type Provider from 'oidc-provider';
import { createAttempts } from './attempts.ts';
import { clientAddress } from './clientAddress.ts';
import type { ServiceContext } from './context.ts';
import { approveDevice, type DeviceRequest, denyDevice, findDevice } from './deviceCodes.ts';
import { type Html, html } from './html.ts';
import { cliClientId, grantedScope, oauthLifetimes, oauthPaths, oauthScopes } from './oauthProvider.ts';
import { tokenField } from './pageLayout.ts';
import { forAccount, forAccountForm, limitForm, sendError, sendPage, type Visit } from './pageRequests.ts';
import { inputField, type Problem, problemList, titleOf, waitText } from './signInPages.ts';
import { endSession } from './webSessions.ts';

export function mountConsentPages(app: Hono, context: ServiceContext, provider: Provider): void {
  const path = `${oauthPaths.consent}/:uid`;
  app.get(
    path,
    forAccount(context, (visit) => askForConsent(provider, visit)),
  );
  app.post(
    path,
    limitForm,
    forAccountForm(context, (visit, fields) => decide(context, provider, visit, fields.answer)),
  );

  const perAccount = createAttempts({ free: 10, firstWait: 2, longestWait: 900 }, context.now);
  const perAddress = createAttempts({ free: 30, firstWait: 2, longestWait: 900 }, context.now);
  app.get(
    oauthPaths.device,
    forAccount(context, async (visit) => codePage(visit, visit.c.req.query('user_code') ?? '')),
  );
  app.post(
    oauthPaths.device,
    limitForm,
    forAccountForm(context, async (visit, { user_code: code = '', answer }) => {
      // Neither many accounts nor many addresses make guessing faster.
      const address = clientAddress(visit.c, context.settings);
      const wait = Math.max(perAccount.begin(visit.account.id), perAddress.begin(address));
      if (wait > 0) {
        visit.c.header('Retry-After', String(wait));
        return codePage(visit, code, `Too many codes. Try again in ${waitText(wait)}`, 429);
      }
      const device = await findDevice(context, code);
      if (device === undefined) return codePage(visit, code, 'There is no such code, or it has expired', 422);
      perAccount.succeeded(visit.account.id);
      perAddress.succeeded(address);
      return answer === undefined
        ? confirmDevicePage(visit, device)
        : decideDevice(context, provider, visit, device, answer);
    }),
  );
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Undefined when it has expired, is over, or was begun in another browser. */
async function interactionOf(provider: Provider, c: Context): Promise<Interaction | undefined> {
  const { incoming, outgoing } = c.env as HttpBindings;
  try {
    const interaction = await provider.interactionDetails(incoming, outgoing as never);
    return interaction.uid === c.req.param('uid') ? interaction : undefined;
  } catch {
    return undefined;
  }
}

const expired = {
  title: 'This sign-in has expired',
  text: 'It took too long, is already done, or was begun in another browser. Go back to the program and start it again.',
};

async function askForConsent(provider: Provider, visit: Visit): Promise<Response> {
  const interaction = await interactionOf(provider, visit.c);
  if (interaction === undefined) return sendError(visit.c, 400, expired);
  const client = await provider.Client.find(String(interaction.params.client_id));
  const redirect = new URL(String(interaction.params.redirect_uri));
  const content = html`<section class="card">
<h1>Let the ${client?.clientName ?? 'program'} use your account?</h1>
<p>A program on this computer (<code>${client?.clientId ?? ''}</code>) asks to:</p>
${abilities(String(interaction.params.scope ?? ''))}
${accountNote(visit)}
<form method="post" action="${oauthPaths.consent}/${interaction.uid}">${tokenField(visit.formToken)}
<div class="choice"><button class="quiet" name="answer" value="deny">Deny</button><button name="answer" value="allow">Allow</button></div>
</form>
<p class="meta">Only allow it if you have just started a sign-in yourself. You then go back to the program at <code>${redirect.host}</code>.</p>
</section>`;
  const frame = { title: `Let the ${client?.clientName ?? 'program'} use your account?`, content, small: true };
  return sendPage(visit.c, frame, 200, { forms: [redirect.origin] });
}

async function decide(
  context: ServiceContext,
  provider: Provider,
  visit: Visit,
  answer: string | undefined,
): Promise<Response> {
  const { c, account } = visit;
  if (answer === 'switch') return switchAccount(context, c);
  const interaction = await interactionOf(provider, c);
  if (interaction === undefined) return sendError(c, 400, expired);
  const { incoming, outgoing } = c.env as HttpBindings;
  const finish = (result: Parameters<Provider['interactionResult']>[2]) =>
    provider.interactionResult(incoming, outgoing as never, result, { mergeWithLastSubmission: false });
  if (answer !== 'allow') {
    return c.redirect(await finish({ error: 'access_denied', error_description: 'It was not allowed.' }), 303);
  }
  const grantId = await saveGrant(provider, {
    accountId: account.id,
    clientId: String(interaction.params.client_id),
    scope: grantedScope(interaction.params.scope),
  });
  return c.redirect(await finish({ login: { accountId: account.id, remember: false }, consent: { grantId } }), 303);
}

async function saveGrant(
  provider: Provider,
  { accountId, clientId, scope }: { accountId: string; clientId: string; scope: string },
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  return grant.save();
}

/** Back to the same page once another account is signed in. */
async function switchAccount(context: ServiceContext, c: Context): Promise<Response> {
  await endSession(context, c);
  const { pathname } = new URL(c.req.url);
  return c.redirect(`/sign-in?next=${encodeURIComponent(pathname)}`, 303) as Response;
}

function codePage(visit: Visit, code: string, problem?: string, status: 200 | 422 | 429 = 200): Response {
  const problems: Problem[] = problem === undefined ? [] : [{ field: 'user_code', text: problem }];
  const content = html`<section class="card">
<h1>Sign in on a device</h1>
<p class="muted">Enter the code that the program on your other device shows.</p>
${problemList(problems)}
<form method="post" action="${oauthPaths.device}">${tokenField(visit.formToken)}
${inputField({ name: 'user_code', label: 'Code', value: code.slice(0, 40), attributes: 'class="usercode" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" placeholder="XXXX-XXXX"' }, problems)}
<button>Continue</button></form></section>`;
  return sendPage(visit.c, { title: titleOf('Sign in on a device', problems), content, small: true }, status);
}

function confirmDevicePage(visit: Visit, device: DeviceRequest): Response {
  const content = html`<section class="card">
<h1>Is this the code on your device?</h1>
<p class="usercode shown">${device.userCode}</p>
<p>If it is, the Framework command line on that device may:</p>
${abilities(device.scope)}
<p class="note"><strong>Did somebody send you this code or a link?</strong> Then choose Deny. Whoever has the device could use your account.</p>
${accountNote(visit, false)}
<form method="post" action="${oauthPaths.device}">${tokenField(visit.formToken)}<input type="hidden" name="user_code" value="${device.userCode}">
<div class="choice"><button class="quiet" name="answer" value="deny">Deny</button><button name="answer" value="allow">Allow</button></div>
</form></section>`;
  return sendPage(visit.c, { title: 'Is this the code on your device?', content, small: true });
}

async function decideDevice(
  context: ServiceContext,
  provider: Provider,
  { c, account }: Visit,
  device: DeviceRequest,
  answer: string,
): Promise<Response> {
  if (answer !== 'allow') {
    await denyDevice(context, device);
    return donePage(c, 'Denied', 'The device was not signed in. You can close this page.');
  }
  const scope = grantedScope(device.scope);
  const grantId = await saveGrant(provider, { accountId: account.id, clientId: cliClientId, scope });
  if (!(await approveDevice(context, device, { accountId: account.id, grantId, scope }))) {
    return sendError(c, 409, expired);
  }
  return donePage(
    c,
    'Your device is signed in',
    'Go back to it: it goes on within a few seconds. You can close this page.',
  );
}

function donePage(c: Context, title: string, text: string): Response {
  const content = html`<section class="card"><h1>${title}</h1><p>${text}</p><p><a href="/">To your renders</a></p></section>`;
  return sendPage(c, { title, content, small: true });
}

function abilities(scope: string): Html {
  const granted = grantedScope(scope).split(' ');
  const texts = Object.entries(oauthScopes).filter(([name]) => granted.includes(name));
  const days = oauthLifetimes.refreshToken / 86_400;
  return html`<ul class="may">${texts.map(([, text]) => html`<li>${text}</li>`)}<li>See your e-mail address and how many credits are left</li><li>Stay signed in until it has not been used for ${days} days, or signs out</li></ul>`;
}

function accountNote({ account, formToken }: Visit, canSwitch = true): Html {
  return html`<p class="meta">Signed in as <strong>${account.email}</strong>.</p>${
    canSwitch &&
    html`<form method="post">${tokenField(formToken)}<p><button class="quiet slim" name="answer" value="switch">Use another account</button></p></form>`
  }`;
}
