{{- define "chart.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "chart.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "chart.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ printf "%s@%s" $image.repository $image.digest | quote }}
{{- else -}}
{{ printf "%s:%s" $image.repository (default .Chart.AppVersion $image.tag) | quote }}
{{- end -}}
{{- end -}}

{{/* A closed container: not root, read-only, without capabilities, as in compose.yaml. */}}
{{- define "chart.closed" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "chart.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Settings of every process of the arena. */}}
{{- define "chart.environment" -}}
- { name: ARENA_SECRETS_DIR, value: /run/secrets/arena }
- { name: ARENA_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: ARENA_TRUSTED_HOPS, value: {{ ternary .Values.ingress.hops 0 .Values.ingress.enabled | quote }} }
- { name: ARENA_SECURE_COOKIE, value: {{ hasPrefix "https://" .Values.publicUrl | quote }} }
- { name: ARENA_LOG_FOLDER, value: /var/lib/arena-log }
- { name: ARENA_GRADIO, value: {{ ternary "auto" "off" .Values.gradio.enabled | quote }} }
{{- if .Values.gradio.enabled }}
- { name: ARENA_GRADIO_URL, value: {{ printf "%s://%s" (ternary "https" "http" (ne .Values.gradio.tlsSecret "")) .Values.gradio.host | quote }} }
{{- end }}
- { name: ARENA_DEMO, value: "off" }
- { name: ARENA_LOCAL, value: "off" }
{{- if .Values.metrics.enabled }}
- { name: ARENA_METRICS_HOST, value: 0.0.0.0 }
- { name: ARENA_METRICS_PORT, value: {{ .Values.metrics.port | quote }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}

{{- define "chart.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secret }}
    defaultMode: 0440
{{- end -}}

{{- define "chart.claimName" -}}
{{- default (printf "%s-%s" (include "chart.name" .top) .part) .claim -}}
{{- end -}}
